import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const arcane = recipe({
  id: 'arcane',
  name: 'Arcane',
  kind: 'program',
  summary: 'Containers',
  questions: { address: originOf('Arcane', 'https://arcane.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/auth/oidc/callback`],
  steps: [
    'Add the variables to Arcane’s environment.',
    'Restart Arcane. The sign-in page now has a button.',
    'To give rights by group, map groups of this server to roles under Settings → Authentication; the claim is groups.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('arcane', {
      APP_URL: address,
      OIDC_ENABLED: 'true',
      OIDC_PROVIDER_NAME: 'Gatehouse',
      OIDC_ISSUER_URL: server.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_SCOPES: 'openid email profile groups',
      OIDC_GROUPS_CLAIM: 'groups',
    }),
  ],
  trap: 'Arcane builds the redirect URI from APP_URL. Its app for phones comes back to arcane-mobile://oidc-callback: add that here if you use it.',
  source: {
    version: 'Arcane 2.8.1',
    pages: [
      'Arcane: source of its configuration and of its OpenID Connect sign-in',
      'Authelia documentation: Arcane, OpenID Connect 1.0 integration',
    ],
    notChecked: ['Where the roles are mapped in its screens.'],
  },
  checked: 'documentation',
});
