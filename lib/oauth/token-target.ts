import { type Api, accessTokenLifeOf, longestJwtLife, usesJwts } from './api.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import { first, type Params } from './params.ts';
import { checkGrantedResources, identifiersIn, readResources } from './resource.ts';
import { isOfApi } from './scope.ts';
import type { ProtocolSettings } from './settings.ts';
import type { Reach } from './tokens.ts';

/** What this server knows when a token is requested. */
export type Known = {
  apis: readonly Api[];
  /** The names of the server's own scopes. */
  scopes: ReadonlySet<string>;
};

export type TokenTarget = {
  /** Empty: no API in particular. */
  apis: readonly Api[];
  scope: string;
  /** The token allows less than its authorization does. */
  narrowed: boolean;
  /** Named resources that are unknown here. */
  ignored: readonly string[];
};

/** The maximum length of the scope in a JWT, which must fit into a header. */
const longestJwtScope = 2000;

type TargetRequest = {
  params: Params;
  client: Pick<Client, 'id' | 'origin'>;
  known: Known;
  settings: Pick<ProtocolSettings, 'refuseUnknownResource'>;
};

/**
 * What a token of an authorization is for (RFC 8707 section 2.2): the APIs named, otherwise all
 * that were granted. Its scope contains no scopes of other APIs.
 * @param scope what was asked for; the authorization's if nothing was
 * @throws OAuthRefusal invalid_target
 */
export function checkTarget(
  { params, client, known, settings }: TargetRequest,
  granted: { scope: string; resources: string },
  scope: string,
): TokenTarget {
  const whole = identifiersIn(granted.resources);
  const values = readResources(params);
  const asked = checkGrantedResources(values, whole, { client, apis: known.apis, settings });
  const { apis, ignored } = asked;
  const within = scopeWithin(scope, apis, known.scopes);
  checkFormat(apis, within);
  const narrowed = within !== granted.scope || apis.length !== whole.length;
  return { apis, scope: within, narrowed, ignored };
}

/** The part of a scope that belongs to these APIs and to the server itself. */
function scopeWithin(scope: string, apis: readonly Api[], ofServer: ReadonlySet<string>): string {
  if (apis.length === 0) return scope;
  const names = scope.split(' ').filter((name) => ofServer.has(name) || isOfApi(name, apis));
  return names.join(' ');
}

/**
 * A JWT is for one API only (RFC 9068 section 5). Otherwise an API that receives it could use it at
 * the others.
 * @throws OAuthRefusal
 */
export function checkFormat(apis: readonly Api[], scope: string): void {
  const api = apis.find(usesJwts);
  if (api && apis.length > 1)
    refuse(
      'invalid_target',
      `Tokens of ${api.identifier} are JWTs, each for one API. Ask for one resource at a time at the token endpoint.`,
      {
        rule: 'resource.one-at-a-time',
        received: apis.map(({ identifier }) => identifier).join(' '),
        expected: ['one resource'],
      },
    );
  if (api && scope.length > longestJwtScope)
    refuse('invalid_scope', 'Too many scopes for one token. Request fewer.');
}

/** The API whose tokens are JWTs, if the token is for one. */
export function jwtApiIn(apis: readonly Api[]): Api | null {
  return apis.find(usesJwts) ?? null;
}

/** Seconds that a token for these APIs lives: the shortest of theirs, otherwise the client's. */
export function lifeFor(apis: readonly Api[], ofClient: number): number {
  if (apis.length === 0) return ofClient;
  const longest = jwtApiIn(apis) ? longestJwtLife : Number.POSITIVE_INFINITY;
  return Math.min(longest, ...apis.map((api) => accessTokenLifeOf(api, ofClient)));
}

export function reachOf(apis: readonly Api[], scope: string): Reach {
  return { scope, audience: apis.map(({ identifier }) => identifier) };
}

/** The `resource` and `scope` parameters of a request, in a form to compare a repeat with. */
export function askedIn(params: Params): string | null {
  const scope = first(params, 'scope');
  const resources = readResources(params);
  if (resources.length === 0) return scope ?? null;
  return `${scope ?? ''}\n${resources.sort().join(' ')}`;
}

/** The audience as a claim (RFC 7519 section 4.1.3); no claim if it is empty. */
export function audienceClaim(audience: readonly string[]): { aud?: string | readonly string[] } {
  const [first] = audience;
  if (first === undefined) return {};
  return { aud: audience.length > 1 ? audience : first };
}
