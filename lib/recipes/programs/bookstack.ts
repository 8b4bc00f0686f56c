import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const bookStack = recipe({
  id: 'bookstack',
  name: 'BookStack',
  mark: 'bookstack',
  kind: 'program',
  summary: 'Wiki in books',
  questions: { address: siteOf('BookStack', 'https://books.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/oidc/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Add the variables to BookStack’s environment.',
    'Restart BookStack. From now on everyone signs in here: there is no other way in.',
    'Roles of BookStack with the name of a group here follow it at each sign-in. Name a role of yours “Admin” or give it an External Authentication ID.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('bookstack', {
      APP_URL: address,
      AUTH_METHOD: 'oidc',
      AUTH_AUTO_INITIATE: 'false',
      OIDC_NAME: 'Gatehouse',
      OIDC_DISPLAY_NAME_CLAIMS: 'name',
      OIDC_ISSUER: server.issuer,
      OIDC_ISSUER_DISCOVER: 'true',
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_END_SESSION_ENDPOINT: 'true',
      OIDC_ADDITIONAL_SCOPES: 'groups',
      OIDC_USER_TO_GROUPS: 'true',
      OIDC_GROUPS_CLAIM: 'groups',
      OIDC_REMOVE_FROM_GROUPS: 'true',
    }),
  ],
  trap: 'OIDC_REMOVE_FROM_GROUPS takes away every role without a matching group here, the administrator’s too. Make the group for admins first.',
  source: {
    version: 'BookStack 25.07',
    pages: [
      'BookStack documentation: OpenID Connect Authentication',
      'BookStack: .env.example.complete, and the source of its OpenID Connect sign-in',
      'Authelia documentation: BookStack, OpenID Connect 1.0 integration',
      'Pocket ID documentation: BookStack',
    ],
    notChecked: [
      'The address after signing out: its source names the start page unless it signs in by itself.',
    ],
  },
  checked: 'documentation',
});
