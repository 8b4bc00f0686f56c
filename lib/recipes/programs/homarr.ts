import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const homarr = recipe({
  id: 'homarr',
  name: 'Homarr',
  mark: 'homarr',
  kind: 'program',
  summary: 'Start page',
  questions: { address: originOf('Homarr', 'https://start.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/auth/callback/oidc`],
  steps: [
    'Add the variables to Homarr’s environment.',
    'Restart Homarr. The sign-in page now has a button.',
    'Groups of Homarr with the name of a group here follow it. The one that was named as the admins’ during Homarr’s set-up is such a group.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    composeEnvironment('homarr', {
      AUTH_PROVIDERS: 'oidc,credentials',
      AUTH_OIDC_CLIENT_NAME: 'Gatehouse',
      AUTH_OIDC_ISSUER: server.issuer,
      AUTH_OIDC_CLIENT_ID: clientId,
      AUTH_OIDC_CLIENT_SECRET: clientSecret,
      AUTH_OIDC_SCOPE_OVERWRITE: 'openid email profile groups',
      AUTH_OIDC_GROUPS_ATTRIBUTE: 'groups',
      AUTH_LOGOUT_REDIRECT_URL: server.logout,
    }),
  ],
  trap: 'Homarr builds the redirect URI from the host and scheme that the proxy passes on; without X-Forwarded-Proto it takes https.',
  source: {
    version: 'Homarr 1.74.0',
    pages: [
      'Homarr documentation: Single Sign On',
      'Homarr: source of its OpenID Connect provider',
      'Authelia documentation: Homarr, OpenID Connect 1.0 integration',
    ],
    notChecked: ['That PKCE is sent: Auth.js, which it uses, does by default.'],
  },
  checked: 'documentation',
});
