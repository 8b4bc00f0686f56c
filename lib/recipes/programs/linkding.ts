import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const linkding = recipe({
  id: 'linkding',
  name: 'linkding',
  kind: 'program',
  summary: 'Bookmarks',
  questions: { address: siteOf('linkding', 'https://links.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/oidc/callback/`],
  steps: [
    'Add the variables to linkding’s environment.',
    'Restart linkding. The sign-in page now has a button.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    composeEnvironment('linkding', {
      LD_ENABLE_OIDC: 'True',
      OIDC_RP_CLIENT_ID: clientId,
      OIDC_RP_CLIENT_SECRET: clientSecret,
      OIDC_OP_AUTHORIZATION_ENDPOINT: server.authorize,
      OIDC_OP_TOKEN_ENDPOINT: server.token,
      OIDC_OP_USER_ENDPOINT: server.userinfo,
      OIDC_OP_JWKS_ENDPOINT: server.jwks,
      OIDC_RP_SIGN_ALGO: 'RS256',
      OIDC_USERNAME_CLAIM: 'preferred_username',
    }),
  ],
  trap: 'linkding finds people by email address: anyone with the address of its superuser becomes the superuser. The trailing slash of the redirect URI matters.',
  source: {
    version: 'linkding 1.46.2',
    pages: [
      'linkding documentation: Options, LD_ENABLE_OIDC',
      'linkding: source of its settings',
      'Authelia documentation: Linkding, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
