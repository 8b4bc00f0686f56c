import { type Api, apiCalled, mayAskFor } from './api.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { Facts } from './facts.ts';
import type { Params } from './params.ts';
import type { ProtocolSettings } from './settings.ts';

/*
 * Resource indicators (RFC 8707): the APIs that a token is meant for. The parameter may repeat. At
 * the authorization endpoint it names what the user allows, at the token endpoint what one token is
 * for.
 */

/** The only parameter of a request that may repeat (RFC 8707 section 2). */
export const repeatable = 'resource';
const most = 10;
/** The maximum length of all values together, because tokens contain them. */
const longest = 2000;

/** The APIs that a request asks for, and the resources it names that are unknown here. */
export type AskedApis = { apis: readonly Api[]; ignored: readonly string[] };

/** The values of `resource`, without duplicates. Empty values count as omitted. */
export function readResources(params: Params): string[] {
  return [...new Set((params.get(repeatable) ?? []).filter(Boolean))];
}

/** The same for a request that begins something: a client that names no API means its own. */
export function askedResources(params: Params, client: Pick<Client, 'defaultApi'>): string[] {
  const named = readResources(params);
  return named.length === 0 && client.defaultApi !== null ? [client.defaultApi] : named;
}

/**
 * The APIs of an authorization request, or of a request that a client makes for itself. In profile
 * `interface` unknown ones are ignored, like any unknown parameter, so that clients that always
 * send `resource` work as before until an API is set up.
 * @throws OAuthRefusal invalid_target
 */
export function checkResources(
  values: readonly string[],
  client: Pick<Client, 'id' | 'origin'>,
  apis: readonly Api[],
  settings: Pick<ProtocolSettings, 'refuseUnknownResource'>,
): AskedApis {
  checkWritten(values, apis);
  const asked = values.map((value) => [value, apiCalled(value, apis)] as const);
  const ignored = asked.filter(([, api]) => !api).map(([value]) => value);
  if (settings.refuseUnknownResource && ignored[0] !== undefined) refuseUnknown(ignored[0]);
  const known = [...new Set(asked.flatMap(([, api]) => api ?? []))];
  for (const api of known) checkAllowed(api, client);
  return { apis: known, ignored };
}

/** The client that names APIs, and what this server knows about them. */
type Asker = {
  client: Pick<Client, 'id' | 'origin'>;
  apis: readonly Api[];
  settings: Pick<ProtocolSettings, 'refuseUnknownResource'>;
};

/**
 * The APIs that one token of an authorization is for: all that were granted, or the ones that the
 * token request names (RFC 8707 section 2.2). Next to a granted API, an unknown one is treated as
 * at the authorization endpoint. On its own it is refused, because the client would send the token
 * there.
 * @param granted identifiers; none: the tokens are for no API in particular
 * @throws OAuthRefusal invalid_target
 */
export function checkGrantedResources(
  values: readonly string[],
  granted: readonly string[],
  { client, apis, settings }: Asker,
): AskedApis {
  checkWritten(values, apis);
  const asked = values.map((value) => [value, apiCalled(value, apis)] as const);
  const ignored = asked.filter(([, api]) => !api).map(([value]) => value);
  for (const [value, api] of asked)
    if (api && !granted.includes(api.identifier)) refuseNotGranted(value, granted);
  const named = asked.flatMap(([, api]) => api ?? []);
  if (ignored[0] !== undefined) {
    if (settings.refuseUnknownResource) refuseUnknown(ignored[0]);
    if (granted.length > 0 && named.length === 0) refuseNotGranted(ignored[0], granted);
  }
  const left = named.length > 0 ? [...new Set(named)] : stillGranted(granted, client, apis);
  for (const api of left) checkAllowed(api, client);
  return { apis: left, ignored };
}

export function noteIgnored({ ignored, apis }: AskedApis): Facts[] {
  if (ignored.length === 0) return [];
  const expected = apis.map(({ identifier }) => identifier);
  return [{ rule: 'resource.ignored', received: ignored.join(' '), expected }];
}

/** The identifiers in a space-delimited list. */
export const identifiersIn = (list: string): string[] => list.split(' ').filter(Boolean);

const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/;

function checkWritten(values: readonly string[], apis: readonly Api[]): void {
  if (values.length > most || values.join(' ').length > longest)
    refuse('invalid_target', `resource names more than ${most} APIs, or is too long.`, {
      rule: 'resource.malformed',
      received: `${values.length} resources`,
      expected: [`at most ${most}, ${longest} characters together`],
    });
  const wrong = values.find(
    (value) => !(absolute.test(value) && URL.canParse(value)) && !apiCalled(value, apis),
  );
  if (wrong !== undefined)
    refuse('invalid_target', 'resource must be an absolute URI without a fragment.', {
      rule: 'resource.malformed',
      received: wrong,
      expected: ['an absolute URI without a fragment'],
    });
}

/** The APIs of an authorization that are left. Some may have been removed since. */
function stillGranted(
  granted: readonly string[],
  client: Pick<Client, 'id' | 'origin'>,
  apis: readonly Api[],
): Api[] {
  const known = apis.filter(({ identifier }) => granted.includes(identifier));
  const left = known.filter((api) => mayAskFor(api, client));
  if (granted.length > 0 && left.length === 0)
    refuse('invalid_target', 'The API was removed, or this client may not ask for it any more.', {
      rule: 'resource.not-allowed',
      received: granted.join(' '),
    });
  return left;
}

function checkAllowed(api: Api, client: Pick<Client, 'id' | 'origin'>): void {
  if (!mayAskFor(api, client))
    refuse('invalid_target', 'This client may not ask for tokens of this API.', {
      rule: 'resource.not-allowed',
      received: api.identifier,
    });
}

function refuseUnknown(value: string): never {
  refuse('invalid_target', 'There is no API with this identifier.', {
    rule: 'resource.unknown',
    received: value,
  });
}

function refuseNotGranted(value: string, granted: readonly string[]): never {
  refuse('invalid_target', 'The authorization is not for this API.', {
    rule: 'resource.not-granted',
    received: value,
    expected: granted,
  });
}
