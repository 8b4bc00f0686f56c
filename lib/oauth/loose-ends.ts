import type { Client } from './client.ts';
import { redirectKind } from './redirect-uri.ts';
import type { ProtocolSettings } from './settings.ts';

/** What is looser with a client than the best current practice, and how to close it. */
export type LooseEnd = {
  code: string;
  clause: string;
  what: string;
  how: string;
  /** Where it is closed: in the client's own record, or in a server setting. */
  at: { client: string } | { setting: keyof ProtocolSettings };
};

type Judged = Pick<
  Client,
  | 'type'
  | 'grants'
  | 'scopes'
  | 'redirectUris'
  | 'requirePkce'
  | 'requireClientAuthOnRefresh'
  | 'sendIss'
  | 'accessTokenTtl'
>;
type Rule = LooseEnd & { holds: (client: Judged, settings: ProtocolSettings) => boolean };

const day = 86_400;
const signsPeopleIn = (client: Judged) => client.grants.includes('authorization_code');
const refreshes = (client: Judged) => client.grants.includes('refresh_token');
const isConfidential = (client: Judged) => client.type === 'confidential';
const uris = (client: Judged, kind: ReturnType<typeof redirectKind>) =>
  client.redirectUris.filter((uri) => redirectKind(uri) === kind);
const authenticatesOnRefresh = (client: Judged, settings: ProtocolSettings) =>
  client.requireClientAuthOnRefresh ?? settings.requireClientAuthOnRefresh;

/** Each row is one recommendation; `holds` says when a client falls short of it. */
const rules: Rule[] = [
  {
    code: 'no-redirect-uri',
    clause: 'RFC 9700 section 2.1',
    what: 'No redirect URI is registered, so each request can name its own.',
    how: 'Register the addresses the app uses. Only those are accepted then.',
    at: { client: 'redirectUris' },
    holds: (client, settings) =>
      signsPeopleIn(client) &&
      client.redirectUris.length === 0 &&
      settings.allowUnregisteredRedirectUri,
  },
  {
    code: 'plain-http',
    clause: 'RFC 9700 section 2.6',
    what: 'A redirect URI uses plain http: anyone on the network can intercept the code.',
    how: 'Serve the app over https, and register that address instead.',
    at: { client: 'redirectUris' },
    holds: (client) => uris(client, 'http').length > 0,
  },
  {
    code: 'claimable-scheme',
    clause: 'RFC 8252 sections 7.1 and 8.4',
    what: 'A redirect URI uses a scheme that isn’t based on a domain name, so other apps can claim it too.',
    how: 'Use a scheme such as com.example.app or, better, an https address that opens the app.',
    at: { client: 'redirectUris' },
    holds: (client) => uris(client, 'private-use').some((uri) => !/^[^:]*\./.test(uri)),
  },
  {
    code: 'localhost',
    clause: 'RFC 8252 section 8.3',
    what: 'A redirect URI uses localhost, which can resolve to another address.',
    how: 'Use http://127.0.0.1 or http://[::1]. Then any port works, too.',
    at: { client: 'redirectUris' },
    holds: (client) =>
      uris(client, 'loopback').some((uri) => /localhost$/i.test(new URL(uri).hostname)),
  },
  {
    code: 'no-pkce',
    clause: 'RFC 9700 section 2.1.1',
    what: 'PKCE isn’t required: a stolen code can be injected into someone else’s sign-in.',
    how: 'Turn on PKCE in the app (most libraries support it, many only when told to), then require it.',
    at: { client: 'requirePkce' },
    holds: (client, settings) =>
      signsPeopleIn(client) &&
      isConfidential(client) &&
      !(client.requirePkce ?? settings.requirePkce),
  },
  {
    code: 'refresh-without-secret',
    clause: 'RFC 6749 section 6, RFC 9700 section 4.14',
    what: 'It can refresh without its secret: a stolen refresh token works for anyone.',
    how: 'Require client authentication on refresh. Most libraries send the secret anyway.',
    at: { client: 'requireClientAuthOnRefresh' },
    holds: (client, settings) =>
      refreshes(client) && isConfidential(client) && !authenticatesOnRefresh(client, settings),
  },
  {
    code: 'no-rotation',
    clause: 'RFC 9700 section 4.14.2',
    what: 'Its refresh tokens neither rotate nor require its secret, so a stolen one goes unnoticed.',
    how: 'Turn on rotation in the environment (ALWAYS_ISSUE_NEW_REFRESH_TOKEN), or require client authentication on refresh.',
    at: { setting: 'alwaysIssueNewRefreshToken' },
    holds: (client, settings) =>
      refreshes(client) &&
      isConfidential(client) &&
      !settings.alwaysIssueNewRefreshToken &&
      !authenticatesOnRefresh(client, settings),
  },
  {
    code: 'no-iss',
    clause: 'RFC 9700 section 4.4, RFC 9207',
    what: 'Responses carry no iss, so an app that uses several servers can be tricked into confusing them.',
    how: 'Turn iss back on, unless the app’s library fails on it.',
    at: { client: 'sendIss' },
    holds: (client) => signsPeopleIn(client) && !client.sendIss,
  },
  {
    code: 'all-scopes',
    clause: 'RFC 9700 section 2.3',
    what: 'It can ask for every scope that isn’t sensitive, including scopes added later.',
    how: 'List what it needs under “What it can ask for”.',
    at: { client: 'scopes' },
    holds: (client) => signsPeopleIn(client) && client.scopes === null,
  },
  {
    code: 'long-access-tokens',
    clause: 'RFC 6750 section 5.3',
    what: 'Its access tokens last longer than a day.',
    how: 'Shorten their lifetime. The app gets new ones with its refresh token.',
    at: { client: 'accessTokenTtl' },
    holds: (client, settings) => (client.accessTokenTtl ?? settings.accessTokenTtl) > day,
  },
  {
    code: 'refresh-in-query',
    clause: 'RFC 9700 section 4.3.2',
    what: 'Refresh tokens can be sent in the URL, where logs keep them.',
    how: 'Turn off ACCEPT_REFRESH_PARAMS_IN_QUERY once none of your apps does that.',
    at: { setting: 'acceptRefreshParamsInQuery' },
    holds: (client, settings) => refreshes(client) && settings.acceptRefreshParamsInQuery,
  },
  {
    code: 'token-in-query',
    clause: 'RFC 9700 section 4.3.2',
    what: 'Access tokens can be sent in the URL, where logs and browser histories keep them.',
    how: 'Turn off ACCEPT_ACCESS_TOKEN_IN_QUERY once none of your apps does that.',
    at: { setting: 'acceptAccessTokenInQuery' },
    holds: (client, settings) => signsPeopleIn(client) && settings.acceptAccessTokenInQuery,
  },
];

/** Where a client is looser than RFC 9700 and its relatives recommend; those it can close itself come first. */
export function looseEndsOf(client: Judged, settings: ProtocolSettings): LooseEnd[] {
  return rules.filter((rule) => rule.holds(client, settings)).map(({ holds: _, ...end }) => end);
}
