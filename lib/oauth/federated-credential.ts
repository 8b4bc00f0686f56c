import type { FederatedCredential } from './client.ts';
import { linkFault } from './client-links.ts';
import { type Wording, wording } from './wording.ts';

/*
 * How a client without a secret or key of its own authenticates: with a JWT that another issuer
 * gave it, such as the forge that runs its jobs or the cluster that runs it (RFC 7521 section 4.2).
 */

/** The limits for one client, so that checking a JWT stays cheap. */
const most = { credentials: 20, claims: 10, name: 100, value: 500, address: 500 };

/** Claims that are checked in every JWT anyway, and cannot be in a rule. */
const reserved = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf'];

/** What is wrong with the credentials of a client; null: nothing. */
export function federatedFault(credentials: readonly FederatedCredential[]): Wording | null {
  if (credentials.length > most.credentials)
    return wording('refused.federated.many', 'List up to {most} issuers.', {
      most: String(most.credentials),
    });
  for (const credential of credentials) {
    const fault =
      issuerFault(credential.issuer) ?? keysFault(credential.keys) ?? claimsFault(credential);
    if (fault) return fault;
  }
  return null;
}

function issuerFault(issuer: string): Wording | null {
  const sound =
    issuer.length <= most.address &&
    linkFault(issuer) === null &&
    issuer.startsWith('https://') &&
    !/[?#]/.test(issuer);
  return sound
    ? null
    : wording(
        'refused.federated.issuer',
        '"{issuer}" is not an issuer. It is an https address without ? and #, written as in iss.',
        { issuer: issuer.slice(0, 200) },
      );
}

function keysFault(keys: string | null): Wording | null {
  if (keys === null) return null;
  const sound =
    keys.length <= most.address && linkFault(keys) === null && keys.startsWith('https://');
  return sound && !keys.includes('#')
    ? null
    : wording(
        'refused.federated.keys',
        '"{keys}" is not an address of keys. It is an https address without #.',
        { keys: keys.slice(0, 200) },
      );
}

function claimsFault({ issuer, claims }: FederatedCredential): Wording | null {
  const entries = Object.entries(claims);
  if (entries.length === 0 || entries.length > most.claims)
    return wording(
      'refused.federated.noClaims',
      'Say for {issuer} what at least one claim has to be, such as sub, and {most} at most. Without one, all its JWTs would be accepted.',
      { issuer: issuer.slice(0, 200), most: String(most.claims) },
    );
  for (const [name, value] of entries) {
    const fault = claimFault(name, value);
    if (fault) return fault;
  }
  return ownerFault(issuer, entries);
}

function claimFault(name: string, value: string): Wording | null {
  if (reserved.includes(name))
    return wording(
      'refused.federated.reserved',
      '{name} is checked in each JWT anyway. Leave it out.',
      {
        name,
      },
    );
  const sound =
    /^[\x21-\x7e]+$/.test(name) &&
    name.length <= most.name &&
    value !== '' &&
    value.length <= most.value &&
    !/\p{Cc}/u.test(value);
  if (!sound)
    return wording(
      'refused.federated.claim',
      'Give the claim "{name}" a value of up to {most} characters.',
      { name: name.slice(0, most.name), most: String(most.value) },
    );
  const star = value.indexOf('*');
  if (star < 0 || (star === value.length - 1 && /[^\p{L}\p{M}\p{N}*]\*$/u.test(value))) return null;
  return wording(
    'refused.federated.pattern',
    'A * is only allowed at the end, after a character that ends a name, such as "repo:acme/site:*". "{value}" would let in others.',
    { value: value.slice(0, 200) },
  );
}

/** An issuer gives everyone JWTs: which claims name the owner, and what a rule must say. */
type Shared = Readonly<Record<string, RegExp>>;

const whole = /^[^*]+$/;
/** Issuers shared by many owners. A rule that does not name an owner would let everyone in. */
const sharedIssuers: Readonly<Record<string, Shared>> = {
  'https://token.actions.githubusercontent.com': {
    sub: /^(repo:[^/*:]+\/|repository_owner(_id)?:[^*:]+(:|$)|repository_id:[^*:]+(:|$))/,
    repository: /^[^/*]+\//,
    repository_id: whole,
    repository_owner: whole,
    repository_owner_id: whole,
  },
  'https://gitlab.com': {
    sub: /^project_path:[^/*:]+\//,
    project_path: /^[^/*]+\//,
    project_id: whole,
    namespace_path: whole,
    namespace_id: whole,
  },
};

function ownerFault(
  issuer: string,
  claims: readonly (readonly [name: string, value: string])[],
): Wording | null {
  const shared = sharedIssuers[issuer.replace(/\/$/, '')];
  if (!shared || claims.some(([name, value]) => shared[name]?.test(value))) return null;
  return wording(
    'refused.federated.shared',
    'Anyone can get JWTs of {issuer}. Say whose are accepted: one of {names}, with the name of its owner in full.',
    { issuer: issuer.slice(0, 200), names: Object.keys(shared).join(', ') },
  );
}

/** Whether a claim meets a rule: exactly, or up to the `*` at the rule's end. */
export function fitsRule(rule: string, said: unknown): boolean {
  if (typeof said !== 'string') return false;
  return rule.endsWith('*') ? said.startsWith(rule.slice(0, -1)) : said === rule;
}

/** A credential with defaults for everything that was left out. */
export const wholeCredential = (said: {
  issuer: string;
  claims?: Readonly<Record<string, string>> | undefined;
  keys?: string | null | undefined;
  reusable?: boolean | undefined;
}): FederatedCredential => ({
  issuer: said.issuer.trim(),
  keys: said.keys?.trim() || null,
  claims: Object.fromEntries(
    Object.entries(said.claims ?? {}).map(([name, value]) => [name.trim(), value.trim()]),
  ),
  reusable: said.reusable ?? false,
});
