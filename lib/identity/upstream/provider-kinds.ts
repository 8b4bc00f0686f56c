import { config } from '../../config.ts';
import { readDomain } from '../../people/email.ts';
import type { Provider } from '../../store/providers.ts';

/** What a provider says about a person, with the claim names of OpenID Connect Core section 5.1. */
export type Claims = Readonly<Record<string, unknown>>;

/** How one kind of provider is asked, and which of its claims we trust. */
export type Kind = {
  /** The name people see; an admin can choose another. */
  name: string;
  /** OpenID Connect with discovery, or the provider's own API if it has no ID tokens. */
  protocol: 'openid' | 'github' | 'discord';
  /** Its issuer, unless an admin enters another; null if they always have to. */
  issuer: string | null;
  /** The issuer can't be changed. */
  fixed?: true;
  example?: string;
  /** The scopes requested, unless an admin chooses others. */
  scopes: readonly string[];
  /**
   * How this server authenticates there: with a secret, with a secret or nothing, or with a key
   * that signs secrets.
   */
  secret: 'needed' | 'optional' | 'key';
  /** The answer is posted from its site: Apple does so whenever a scope is requested. */
  posts?: true;
  /**
   * What makes the provider ask who the person is even if it knows them: `max_age`, to which it
   * answers when it did; the choice of an account, which proves nothing; null: nothing does.
   */
  again: 'max_age' | 'select_account' | null;
  /**
   * The claim that says the address is verified, and whether a value of that claim can be trusted.
   */
  verified: { claim: string; is: (value: unknown) => boolean };
  /**
   * The claim with the organisation's domain, which counts instead of the domain of the address.
   */
  organisation?: string;
  /** Its usual claim with the groups of a person; without one, it tells of none. */
  groupsClaim?: string;
  /** The picture on its button; without one, the button shows a letter. */
  mark?: string;
};

const openIdScopes = ['openid', 'profile', 'email'] as const;

/** Core section 5.1: a boolean. No other value counts. */
const saysTrue = (value: unknown) => value === true;
/** Apple also sends the string ("Authenticating users with Sign in with Apple"). */
const saysTrueOrText = (value: unknown) => value === true || value === 'true';
/** Entra sends `xms_edov` as a boolean, a number or a string, depending on the kind of account. */
const saysYes = (value: unknown) => [true, 1, '1', 'true'].some((yes) => yes === value);

const emailVerified = { claim: 'email_verified', is: saysTrue };

/** Issuer and subject identify a person; an address counts only if the row's claim says so. */
export const kinds: Readonly<Record<Provider['kind'], Kind>> = {
  google: {
    name: 'Google',
    protocol: 'openid',
    issuer: 'https://accounts.google.com',
    fixed: true,
    scopes: openIdScopes,
    secret: 'needed',
    again: 'select_account',
    verified: emailVerified,
    organisation: 'hd',
    mark: 'google',
  },
  /**
   * A single tenant: the issuer contains the tenant's id. The admin of a tenant can write anything
   * into `email`; `xms_edov` says that the address's domain is verified.
   */
  microsoft: {
    name: 'Microsoft',
    protocol: 'openid',
    issuer: null,
    example: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    groupsClaim: 'groups',
    scopes: openIdScopes,
    secret: 'needed',
    again: 'max_age',
    verified: { claim: 'xms_edov', is: saysYes },
  },
  /** No OpenID Connect. `/user/emails` says which addresses are verified, `/user` not. */
  github: {
    name: 'GitHub',
    protocol: 'github',
    issuer: 'https://github.com',
    scopes: ['read:user', 'user:email'],
    secret: 'needed',
    again: 'select_account',
    verified: emailVerified,
    mark: 'github',
  },
  gitlab: {
    name: 'GitLab',
    protocol: 'openid',
    issuer: 'https://gitlab.com',
    groupsClaim: 'groups_direct',
    scopes: openIdScopes,
    secret: 'optional',
    again: 'max_age',
    verified: emailVerified,
    mark: 'gitlab',
  },
  /** Its user object has `verified`, which we pass on as `email_verified`. */
  discord: {
    name: 'Discord',
    protocol: 'discord',
    issuer: 'https://discord.com',
    fixed: true,
    scopes: ['identify', 'email'],
    secret: 'needed',
    again: null,
    verified: emailVerified,
    mark: 'discord',
  },
  apple: {
    name: 'Apple',
    protocol: 'openid',
    issuer: 'https://appleid.apple.com',
    fixed: true,
    scopes: ['openid', 'name', 'email'],
    secret: 'key',
    posts: true,
    again: null,
    verified: { claim: 'email_verified', is: saysTrueOrText },
    mark: 'apple',
  },
  openid: {
    name: 'OpenID Connect',
    protocol: 'openid',
    issuer: null,
    example: 'https://idp.example.com',
    groupsClaim: 'groups',
    scopes: openIdScopes,
    secret: 'optional',
    again: 'max_age',
    verified: emailVerified,
  },
};

/** The kinds, in the order of the table. */
export const providerKinds = Object.keys(kinds) as [Provider['kind'], ...Provider['kind'][]];

/** One each: no provider's answer may pass for another's (RFC 9700 section 4.4). */
export function redirectUriOf(slug: string): string {
  return `${config().issuer}/login/with/${slug}/callback`;
}

/** Where a provider notifies us that a person has signed out there; null if its kind does not. */
export function endedUriOf({ kind, slug }: Pick<Provider, 'kind' | 'slug'>): string | null {
  if (kinds[kind].protocol !== 'openid' || kinds[kind].fixed) return null;
  return `${config().issuer}/login/with/${slug}/ended`;
}

export function scopesOf({ kind, scopes }: Pick<Provider, 'kind' | 'scopes'>): readonly string[] {
  return scopes.length > 0 ? scopes : kinds[kind].scopes;
}

type IssuerFault = 'not-an-address' | 'not-https' | 'fixed' | 'has-more' | 'many-tenants';

/** Microsoft's words for "accounts of any tenant": such tokens come from many issuers. */
const manyTenants = new Set(['common', 'organizations', 'consumers']);

/**
 * Why a provider of this kind cannot have this issuer; null if it can. An http address is for
 * trials on this machine, where the environment allows calls to private addresses.
 */
export function issuerFault(kind: Provider['kind'], issuer: string): IssuerFault | null {
  if (!URL.canParse(issuer)) return 'not-an-address';
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'not-https';
  if (url.search || url.hash || url.username || url.password || /[\s\\]/.test(issuer))
    return 'has-more';
  const { fixed, issuer: only } = kinds[kind];
  if (fixed && issuer !== only) return 'fixed';
  const [, tenant = ''] = url.pathname.split('/');
  if (kind === 'microsoft' && (tenant === '' || manyTenants.has(tenant))) return 'many-tenants';
  return null;
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The address the provider vouches for; null if it has verified none. */
export function verifiedAddressOf(kind: Provider['kind'], claims: Claims): string | null {
  const { claim, is } = kinds[kind].verified;
  const { email } = claims;
  if (typeof email !== 'string' || !is(claims[claim])) return null;
  const text = email.trim();
  return text.length > 0 && text.length <= 320 ? text : null;
}

/** Whether a person comes from one of the provider's domains. If it has none, everyone does. */
export function isOfDomains(
  { kind, domains }: Pick<Provider, 'kind' | 'domains'>,
  claims: Claims,
): boolean {
  if (domains.length === 0) return true;
  const { organisation } = kinds[kind];
  const address = verifiedAddressOf(kind, claims);
  const said = organisation ? claims[organisation] : address?.slice(address.lastIndexOf('@') + 1);
  const domain = typeof said === 'string' ? said.toLowerCase() : undefined;
  return domain !== undefined && domains.includes(readDomain(domain) ?? domain);
}
