import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const miniflux = recipe({
  id: 'miniflux',
  name: 'Miniflux',
  kind: 'program',
  summary: 'Feed reader',
  questions: { address: siteOf('Miniflux', 'https://feeds.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/oauth2/oidc/callback`],
  steps: [
    'Add the variables to Miniflux’s environment.',
    'Restart Miniflux. The sign-in page now has a link.',
    'People with an account link it under Settings.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    composeEnvironment('miniflux', {
      BASE_URL: address,
      OAUTH2_PROVIDER: 'oidc',
      OAUTH2_OIDC_PROVIDER_NAME: 'Gatehouse',
      OAUTH2_OIDC_DISCOVERY_ENDPOINT: server.issuer,
      OAUTH2_CLIENT_ID: clientId,
      OAUTH2_CLIENT_SECRET: clientSecret,
      OAUTH2_REDIRECT_URL: redirectUri,
      OAUTH2_USER_CREATION: '1',
    }),
  ],
  trap: 'OAUTH2_OIDC_DISCOVERY_ENDPOINT is the issuer. With /.well-known/openid-configuration appended, Miniflux starts, but its button leads back to the sign-in page; the reason is in its log alone.',
  source: {
    version: 'Miniflux 2.3.5',
    pages: [
      'Authelia documentation: Miniflux, OpenID Connect 1.0 integration',
      'Miniflux: source of its OAuth2 sign-in, for PKCE',
    ],
    notChecked: [],
  },
  checked: 'run',
});
