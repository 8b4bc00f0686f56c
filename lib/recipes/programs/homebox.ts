import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const homebox = recipe({
  id: 'homebox',
  name: 'HomeBox',
  kind: 'program',
  summary: 'Inventory of a household',
  questions: { address: originOf('HomeBox', 'https://things.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/v1/users/login/oidc/callback`],
  steps: [
    'Add the variables to HomeBox’s environment.',
    'Restart HomeBox. The sign-in page now has a button.',
    'To let in some people only, set HBOX_OIDC_ALLOWED_GROUPS to groups of this server, with commas between them.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    composeEnvironment('homebox', {
      HBOX_OIDC_ENABLED: 'true',
      HBOX_OIDC_ISSUER_URL: server.issuer,
      HBOX_OIDC_CLIENT_ID: clientId,
      HBOX_OIDC_CLIENT_SECRET: clientSecret,
      HBOX_OIDC_SCOPE: 'openid profile email groups',
      HBOX_OIDC_GROUP_CLAIM: 'groups',
      HBOX_OIDC_BUTTON_TEXT: 'Sign in with Gatehouse',
      HBOX_OPTIONS_TRUST_PROXY: 'true',
    }),
  ],
  trap: 'HomeBox builds the redirect URI from the request. Behind a proxy it uses http:// unless HBOX_OPTIONS_TRUST_PROXY is true.',
  source: {
    version: 'HomeBox 0.26.2',
    pages: [
      'HomeBox documentation: OIDC; Configure HomeBox',
      'HomeBox: source of its OpenID Connect provider',
      'Authelia documentation: HomeBox, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
