import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const mealie = recipe({
  id: 'mealie',
  name: 'Mealie',
  mark: 'mealie',
  kind: 'program',
  summary: 'Cooking recipes',
  questions: { address: originOf('Mealie', 'https://mealie.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/login`, `${address}/login?direct=1`],
  postLogoutRedirectUris: ({ address }) => [`${address}/login?direct=1`],
  steps: [
    'Add the variables to Mealie’s environment.',
    'Restart Mealie. The sign-in page now has a button.',
    'People in the group mealie-admins here become administrators there.',
    'Give everyone a name here: Mealie refuses people who have none.',
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
      OIDC_GROUPS_CLAIM: 'groups',
      OIDC_ADMIN_GROUP: 'mealie-admins',
    }),
  ],
  trap: 'Mealie builds the redirect URI from BASE_URL. OIDC_USER_GROUP names a group of this server: make it before you set it, or nobody gets in.',
  source: {
    version: 'Mealie 2.0.0',
    pages: [
      'Mealie documentation: OpenID Connect (OIDC) Authentication',
      'Authelia documentation: Mealie, OpenID Connect 1.0 integration',
    ],
    notChecked: ['The two variables for groups; the run was without them.'],
  },
  checked: { byHand: '22 November 2026' },
});
