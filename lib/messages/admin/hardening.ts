import type { HardeningCode } from '../../oauth/hardening.ts';

/** For each way to be weaker than recommended: what it means, and how to mend it. */
const ends: Record<HardeningCode, { what: string; how: string }> = {
  'no-redirect-uri': {
    what: 'No redirect URI is registered, so each request can name its own.',
    how: 'Register the addresses the app uses. Only those are accepted then.',
  },
  'plain-http': {
    what: 'A redirect URI uses plain http: anyone on the network can intercept the code.',
    how: 'Serve the app over https, and register that address instead.',
  },
  'claimable-scheme': {
    what: 'A redirect URI uses a scheme that isn’t based on a domain name, so other apps can claim it too.',
    how: 'Use a scheme such as com.example.app or, better, an https address that opens the app.',
  },
  localhost: {
    what: 'A redirect URI uses localhost, which can resolve to another address.',
    how: 'Use http://127.0.0.1 or http://[::1] if the app can (RFC 8252 section 8.3). Any port works with all three, unless the app has a secret: then only with the numbers.',
  },
  'no-pkce': {
    what: 'PKCE isn’t required: a stolen code can be injected into someone else’s sign-in.',
    how: 'Turn on PKCE in the app (most libraries support it, many only when told to), then require it.',
  },
  'refresh-without-secret': {
    what: 'It can refresh without its secret: a stolen refresh token works for anyone.',
    how: 'Require client authentication on refresh. Most libraries send the secret anyway.',
  },
  'no-rotation': {
    what: 'Its refresh tokens neither rotate nor require its secret, so a stolen one goes unnoticed.',
    how: 'Turn on rotation in the environment (ALWAYS_ISSUE_NEW_REFRESH_TOKEN), or require client authentication on refresh.',
  },
  'no-iss': {
    what: 'Responses carry no iss, so an app that uses several servers can be tricked into confusing them.',
    how: 'Turn iss back on, unless the app’s library fails on it.',
  },
  'long-access-tokens': {
    what: 'Its access tokens last longer than a day.',
    how: 'Shorten their lifetime. The app gets new ones with its refresh token.',
  },
  'refresh-in-query': {
    what: 'Refresh tokens can be sent in the URL, where logs keep them.',
    how: 'Turn off ACCEPT_REFRESH_PARAMS_IN_QUERY once none of your apps does that.',
  },
  'token-in-query': {
    what: 'Access tokens can be sent in the URL, where logs and browser histories keep them.',
    how: 'Turn off ACCEPT_ACCESS_TOKEN_IN_QUERY once none of your apps does that.',
  },
};

/** Where an app is weaker than the server’s defaults. */
export const hardeningWords = {
  title: 'Less secure than by default',
  text: 'Where this app, or a server setting it depends on, was made weaker. Each line says how to fix it.',
  none: 'Nothing about this app was made weaker than the defaults.',
  here: 'Change it',
  inSettings: 'Open settings',
  ends,
};
