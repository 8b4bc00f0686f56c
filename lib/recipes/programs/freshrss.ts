import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const freshrss = recipe({
  id: 'freshrss',
  name: 'FreshRSS',
  mark: 'freshrss',
  kind: 'program',
  summary: 'Feed reader',
  questions: { address: originOf('FreshRSS', 'https://rss.example.org') },
  // Its Apache module takes an answer with `iss` for the start of a sign-in.
  client: { ...webClient, authentication: 'basic', pkce: 'no', sendIss: false },
  redirectUris: ({ address }) => [`${address}/i/oidc/`],
  steps: [
    'Add the variables to the FreshRSS container.',
    'Restart it and open FreshRSS. Whoever signs in first sets up a new installation.',
    'If FreshRSS is already set up, choose Settings → Authentication → HTTP first.',
  ],
  blocks: (_, { server, clientId, clientSecret, freshSecret }) => [
    composeEnvironment('freshrss', {
      OIDC_ENABLED: '1',
      OIDC_PROVIDER_METADATA_URL: server.discovery,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_CLIENT_CRYPTO_KEY: freshSecret,
      OIDC_REMOTE_USER_CLAIM: 'preferred_username',
      OIDC_SCOPES: 'openid profile email',
      OIDC_X_FORWARDED_HEADERS: 'X-Forwarded-Host X-Forwarded-Proto',
    }),
  ],
  trap: 'If the proxy sends X-Forwarded-Port, FreshRSS adds :443 to the redirect URI, which is refused here. Usernames must match exactly in both.',
  source: {
    version: 'FreshRSS 1.23.1, and the documentation of its development version',
    pages: [
      'FreshRSS documentation: OpenID Connect (OIDC)',
      'Authelia documentation: FreshRSS, OpenID Connect 1.0 integration',
      'Pocket ID documentation: FreshRSS',
    ],
    notChecked: ['Whether newer versions of its Apache module accept iss in responses.'],
  },
  checked: 'documentation',
});
