import { z } from 'zod';
import type { Client } from './client.ts';
import { confirmation, isThumbprint } from './dpop.ts';
import { refuse } from './errors.ts';
import { epochSeconds } from './id-token.ts';
import { first, isText, type Params } from './params.ts';
import { readResources } from './resource.ts';
import { parseScope } from './scope.ts';
import { isKnownTime } from './sign-in-rules.ts';
import { addSeconds } from './token-request.ts';

/*
 * Identity assertion authorization grants (draft-ietf-oauth-identity-assertion-authz-grant), known
 * as cross-app access. An app that a user signed in to here gets a short-lived JWT that tells one
 * other server so. That server trusts this one and gives the app a token. The user is not asked;
 * the admins of both servers have decided.
 */

/** Distinguishes it from ID tokens, access tokens and logout tokens. */
export const idJagType = 'oauth-id-jag+jwt';
export const idJagTokenType = 'urn:ietf:params:oauth:token-type:id-jag';
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** Seconds: it is used immediately, and once. */
export const idJagLife = 300;

/** What an app asks for: an assertion for a server, and the APIs and scopes there. */
export type AskedIdJag = {
  /** The issuer as registered for the client, and the client's id there. */
  audience: string;
  clientId: string;
  /** The group that the user must be in; null: none is required. */
  group: string | null;
  resources: readonly string[];
  scope: string | undefined;
};

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '');

/** The pair that an admin entered for this issuer, with or without a final slash, if any. */
function saidOf(pairs: Readonly<Record<string, string>>, audience: string) {
  return Object.entries(pairs).find(([issuer]) => withoutSlash(issuer) === withoutSlash(audience));
}

/**
 * They are not supported, and ignoring them would grant more than was asked for.
 * @throws OAuthRefusal
 */
function refuseDetails(params: Params): void {
  if (first(params, 'authorization_details') === undefined) return;
  refuse('invalid_request', 'authorization_details are not supported. Use scope and resource.', {
    rule: 'exchange.parameter',
    received: 'authorization_details',
    expected: ['scope and resource'],
  });
}

/** @throws OAuthRefusal invalid_request, invalid_target */
export function readIdJagRequest(
  params: Params,
  client: Pick<Client, 'identityFor' | 'identityGroups'>,
): AskedIdJag {
  refuseDetails(params);
  const audience = first(params, 'audience');
  const expected = Object.keys(client.identityFor);
  if (audience === undefined)
    refuse('invalid_request', 'audience is missing. Set it to the issuer of the other server.', {
      rule: 'exchange.parameter',
      received: 'no audience',
      expected: ['audience'],
    });
  const said = saidOf(client.identityFor, audience);
  if (!said)
    refuse('invalid_target', 'This client may not tell that server who signed in.', {
      rule: 'identity.not-permitted',
      received: audience,
      expected,
    });
  const scope = first(params, 'scope');
  if (scope !== undefined) parseScope(scope);
  const [issuer, clientId] = said;
  const group = saidOf(client.identityGroups, issuer)?.[1] ?? null;
  return { audience: issuer, clientId, group, resources: checkResources(params), scope };
}

const mostResources = 10;
const longestResources = 2000;

/**
 * Resources of the other server are passed on as they came.
 * @throws OAuthRefusal invalid_target
 */
function checkResources(params: Params): string[] {
  const resources = readResources(params);
  const isFine = (uri: string) => /^https?:\/\/[!-~]+$/.test(uri) && !uri.includes('#');
  const all = resources.join(' ').length;
  if (resources.length <= mostResources && all <= longestResources && resources.every(isFine))
    return resources;
  refuse('invalid_target', 'resource must be an absolute address without a fragment.', {
    rule: 'resource.malformed',
    received: resources.join(' ').slice(0, 200),
    expected: [`at most ${mostResources} addresses without a fragment`],
  });
}

/** The user the assertion is about, and how they signed in. */
type About = {
  /** The `sub` by which the requesting app knows them. */
  sub: string;
  authTime: Date;
  amr: string;
  acr: string;
  /** A verified address, if the app may know it; null: it is left out. */
  email: string | null;
};

/**
 * The claims of the assertion (draft section 3.1).
 * @param issued `jkt`: the key of the proof sent with the request, to which the assertion is bound;
 *   null: it is not bound
 */
export function idJagClaims(
  { issuer, jkt, jti }: { issuer: string; jkt: string | null; jti: string },
  { audience, clientId, resources, scope }: AskedIdJag,
  about: About,
  now: Date,
): Record<string, unknown> {
  const [resource] = resources;
  return {
    iss: issuer,
    sub: about.sub,
    aud: audience,
    client_id: clientId,
    jti,
    iat: epochSeconds(now),
    exp: epochSeconds(addSeconds(now, idJagLife)),
    ...(isKnownTime(about.authTime) && { auth_time: epochSeconds(about.authTime) }),
    acr: about.acr,
    amr: about.amr.split(' '),
    ...(resource !== undefined && { resource: resources.length > 1 ? resources : resource }),
    ...(scope !== undefined && { scope }),
    ...(about.email !== null && { email: about.email, email_verified: true }),
    ...confirmation(jkt),
  };
}

const name = z.string().min(1).max(256).refine(isText);
const time = z.number().min(0).max(1e11);

/**
 * The claims of another server's assertion, once its signature has been checked. Unknown claims are
 * ignored, except those that would restrict the assertion: they are refused.
 */
export const receivedIdJag = z.looseObject({
  iss: name,
  sub: name,
  aud: z.union([name, z.tuple([name])]),
  client_id: name,
  jti: name,
  iat: time,
  exp: time,
  /** Read as any provider's are, in `lib/identity/upstream/said-claims.ts`. */
  auth_time: z.unknown().optional(),
  amr: z.unknown().optional(),
  resource: z.union([z.string().max(2000), z.array(z.string().max(2000)).max(10)]).optional(),
  scope: z.string().max(2000).optional(),
  /** The key that the assertion is bound to, by the only method that is supported here. */
  cnf: z.strictObject({ jkt: z.string().refine(isThumbprint) }).optional(),
  authorization_details: z.undefined('authorization_details are not supported').optional(),
});
export type ReceivedIdJag = z.output<typeof receivedIdJag>;

export const resourcesOf = ({ resource }: Pick<ReceivedIdJag, 'resource'>): string[] =>
  resource === undefined ? [] : [resource].flat();

/**
 * The scope of the token: what was asked for, if the assertion has it; otherwise all that the
 * assertion has.
 * @throws OAuthRefusal invalid_scope
 */
export function scopeWithin(
  asked: string | undefined,
  said: string | undefined,
): string | undefined {
  if (asked === undefined || said === undefined) return asked ?? (said || undefined);
  const has = said.split(' ');
  const wider = parseScope(asked).find((each) => !has.includes(each));
  if (wider === undefined) return asked;
  refuse('invalid_scope', 'scope exceeds what the assertion has.', {
    rule: 'scope.wider',
    received: asked,
    expected: has,
  });
}

/**
 * The APIs that the token is for: those that the assertion names, or some of them.
 * @throws OAuthRefusal invalid_target
 */
export function resourcesWithin(asked: readonly string[], said: readonly string[]): string[] {
  const other = asked.find((each) => !said.map(withoutSlash).includes(withoutSlash(each)));
  if (asked.length === 0 || said.length === 0) return [...(asked.length > 0 ? asked : said)];
  if (other === undefined) return [...asked];
  refuse('invalid_target', 'The assertion is not for this API.', {
    rule: 'resource.not-granted',
    received: other,
    expected: said,
  });
}
