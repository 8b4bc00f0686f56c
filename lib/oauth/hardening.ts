import { type Client, newClient } from './client.ts';
import { provesByAssertion } from './client-auth-methods.ts';
import { redirectKind } from './redirect-uri.ts';
import type { ProtocolSettings } from './settings.ts';

type Judged = Pick<
  Client,
  | 'type'
  | 'grants'
  | 'redirectUris'
  | 'requirePkce'
  | 'requireClientAuthOnRefresh'
  | 'sendIss'
  | 'jwks'
  | 'jwksUri'
  | 'federatedCredentials'
  | 'guardedSites'
  | 'accessTokenTtl'
>;

type Rule = {
  clause: string;
  /** Where to fix it: in the client's own record, or in a server setting. */
  at: { client: keyof Judged } | { setting: keyof ProtocolSettings };
  /** Whether the client falls short; a list names the values that do. */
  weak: (client: Judged, settings: ProtocolSettings) => boolean | readonly string[];
};

const day = 86_400;
const signsPeopleIn = (client: Judged) => client.grants.includes('authorization_code');
const refreshes = (client: Judged) => client.grants.includes('refresh_token');
const isConfidential = (client: Judged) => client.type === 'confidential';
const uris = (client: Judged, kind: ReturnType<typeof redirectKind>) =>
  client.redirectUris.filter((uri) => redirectKind(uri) === kind);
const authenticatesOnRefresh = (client: Judged, settings: ProtocolSettings) =>
  provesByAssertion(client) ||
  (client.requireClientAuthOnRefresh ?? settings.requireClientAuthOnRefresh);

/** Each row is one recommendation of the best current practice. */
const rules = {
  'no-redirect-uri': {
    clause: 'RFC 9700 section 2.1',
    at: { client: 'redirectUris' },
    weak: (client, settings) =>
      signsPeopleIn(client) &&
      client.redirectUris.length === 0 &&
      client.guardedSites.length === 0 &&
      settings.allowUnregisteredRedirectUri,
  },
  'plain-http': {
    clause: 'RFC 9700 section 2.6',
    at: { client: 'redirectUris' },
    weak: (client) => uris(client, 'http'),
  },
  'claimable-scheme': {
    clause: 'RFC 8252 sections 7.1 and 8.4',
    at: { client: 'redirectUris' },
    weak: (client) => uris(client, 'private-use').filter((uri) => !/^[^:]*\./.test(uri)),
  },
  localhost: {
    clause: 'RFC 8252 section 8.3',
    at: { client: 'redirectUris' },
    weak: (client) =>
      uris(client, 'loopback').filter((uri) => /localhost$/i.test(new URL(uri).hostname)),
  },
  'no-pkce': {
    clause: 'RFC 9700 section 2.1.1',
    at: { client: 'requirePkce' },
    weak: (client, settings) =>
      signsPeopleIn(client) &&
      isConfidential(client) &&
      !(client.requirePkce ?? settings.requirePkce),
  },
  'refresh-without-secret': {
    clause: 'RFC 6749 section 6, RFC 9700 section 4.14',
    at: { client: 'requireClientAuthOnRefresh' },
    weak: (client, settings) =>
      refreshes(client) && isConfidential(client) && !authenticatesOnRefresh(client, settings),
  },
  'no-rotation': {
    clause: 'RFC 9700 section 4.14.2',
    at: { setting: 'alwaysIssueNewRefreshToken' },
    weak: (client, settings) =>
      refreshes(client) &&
      isConfidential(client) &&
      !settings.alwaysIssueNewRefreshToken &&
      !authenticatesOnRefresh(client, settings),
  },
  'no-iss': {
    clause: 'RFC 9700 section 4.4, RFC 9207',
    at: { client: 'sendIss' },
    weak: (client) => signsPeopleIn(client) && !client.sendIss,
  },
  'long-access-tokens': {
    clause: 'RFC 6750 section 5.3',
    at: { client: 'accessTokenTtl' },
    weak: (client, settings) => (client.accessTokenTtl ?? settings.accessTokenTtl) > day,
  },
  'refresh-in-query': {
    clause: 'RFC 9700 section 4.3.2',
    at: { setting: 'acceptRefreshParamsInQuery' },
    weak: (client, settings) => refreshes(client) && settings.acceptRefreshParamsInQuery,
  },
  'token-in-query': {
    clause: 'RFC 9700 section 4.3.2',
    at: { setting: 'acceptAccessTokenInQuery' },
    weak: (client, settings) => signsPeopleIn(client) && settings.acceptAccessTokenInQuery,
  },
} as const satisfies Record<string, Rule>;

type HardeningCode = keyof typeof rules;

/** A weakness of a client: the clause that advises better, the values at fault, where to fix it. */
export type Hardening = Pick<Rule, 'clause' | 'at'> & {
  code: HardeningCode;
  values: readonly string[];
};

/**
 * Where a client is weaker than RFC 9700 and related RFCs recommend, as a result of someone's
 * decision: weaknesses that every new client has under the profile's defaults are left out. What
 * can be fixed in the client's own record comes first.
 */
export function hardeningOf(
  client: Judged,
  settings: ProtocolSettings,
  defaults: ProtocolSettings,
): Hardening[] {
  const plain = { ...newClient, type: client.type, grants: client.grants, redirectUris: usual };
  return Object.entries<Rule>(rules).flatMap(([code, { clause, at, weak }]) => {
    const found = weak(client, settings);
    const values = typeof found === 'boolean' ? [] : found;
    const falls = found === true || values.length > 0;
    if (!falls || weak(plain, defaults) === true) return [];
    return [{ code: code as HardeningCode, clause, at, values }];
  });
}

/** Sound addresses to compare with, because a client's addresses are always someone's decision. */
const usual = ['https://app.example/callback'];
