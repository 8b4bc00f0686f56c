import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const mealie = recipe({
  id: 'mealie',
  name: 'Mealie',
  kind: 'program',
  summary: 'Cooking recipes',
  questions: { address: originOf('Mealie', 'https://mealie.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/login`, `${address}/login?direct=1`],
  postLogoutRedirectUris: ({ address }) => [`${address}/login?direct=1`],
  steps: [
    'Add the variables to Mealie’s environment.',
    'Restart Mealie. The sign-in page now has a button.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('mealie', {
      BASE_URL: address,
      OIDC_AUTH_ENABLED: 'true',
      OIDC_SIGNUP_ENABLED: 'true',
      OIDC_CONFIGURATION_URL: server.discovery,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_PROVIDER_NAME: 'Gatehouse',
    }),
  ],
  trap: 'Mealie builds the redirect URI from BASE_URL. OIDC_USER_GROUP and OIDC_ADMIN_GROUP name groups of this server: make them first, or nobody gets in.',
  source: {
    version: 'Mealie 2.0.0',
    pages: [
      'Mealie documentation: OpenID Connect (OIDC) Authentication',
      'Authelia documentation: Mealie, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
