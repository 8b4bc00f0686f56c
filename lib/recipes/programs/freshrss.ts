import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const freshrss = recipe({
  id: 'freshrss',
  name: 'FreshRSS',
  kind: 'program',
  summary: 'Feed reader',
  questions: { address: originOf('FreshRSS', 'https://rss.example.org') },
  // Its Apache module takes `iss` in an answer for the start of a sign-in.
  client: { ...webClient, authentication: 'basic', pkce: 'no', sendIss: false },
  redirectUris: ({ address }) => [`${address}/i/oidc/`],
  steps: [
    'Add the variables to FreshRSS’s container, with a long random text of your own as crypto key.',
    'Start it anew and open FreshRSS: a new one is set up by the person who signs in.',
    'In a FreshRSS that is set up already, choose Settings → Authentication → HTTP first.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    composeEnvironment('freshrss', {
      OIDC_ENABLED: '1',
      OIDC_PROVIDER_METADATA_URL: server.discovery,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_CLIENT_CRYPTO_KEY: 'A-LONG-RANDOM-TEXT-OF-YOUR-OWN',
      OIDC_REMOTE_USER_CLAIM: 'preferred_username',
      OIDC_SCOPES: 'openid profile email',
      OIDC_X_FORWARDED_HEADERS: 'X-Forwarded-Host X-Forwarded-Proto',
    }),
  ],
  trap: 'With X-Forwarded-Port among its headers FreshRSS writes :443 into the redirect URI, which is refused here; and the username must be the same in both, to the letter.',
  source: {
    version: 'FreshRSS 1.23.1, and the documentation of its development version',
    pages: [
      'FreshRSS documentation: OpenID Connect (OIDC)',
      'Authelia documentation: FreshRSS, OpenID Connect 1.0 integration',
      'Pocket ID documentation: FreshRSS',
    ],
    notChecked: ['Whether newer versions of its Apache module take iss in answers.'],
  },
  checked: 'documentation',
});
