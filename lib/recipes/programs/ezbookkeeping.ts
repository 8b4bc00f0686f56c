import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const ezBookkeeping = recipe({
  id: 'ezbookkeeping',
  name: 'ezBookkeeping',
  kind: 'program',
  summary: 'Personal finance',
  questions: { address: siteOf('ezBookkeeping', 'https://money.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oauth2/callback`],
  steps: [
    'Add the variables to ezBookkeeping’s environment.',
    'Restart ezBookkeeping. The sign-in page now has a button.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('ezbookkeeping', {
      EBK_SERVER_DOMAIN: new URL(address).hostname,
      EBK_SERVER_ROOT_URL: `${address}/`,
      EBK_AUTH_ENABLE_OAUTH2_AUTH: 'true',
      EBK_AUTH_OAUTH2_PROVIDER: 'oidc',
      EBK_AUTH_OAUTH2_CLIENT_ID: clientId,
      EBK_AUTH_OAUTH2_CLIENT_SECRET: clientSecret,
      EBK_AUTH_OAUTH2_USE_PKCE: 'true',
      EBK_AUTH_OIDC_PROVIDER_BASE_URL: server.issuer,
      EBK_AUTH_ENABLE_OIDC_DISPLAY_NAME: 'true',
      EBK_AUTH_OIDC_CUSTOM_DISPLAY_NAME: 'Gatehouse',
    }),
  ],
  trap: 'ezBookkeeping finds people by email address, and makes new ones only while registration is on (enable_register).',
  source: {
    version: 'ezBookkeeping 1.6.1',
    pages: [
      'ezBookkeeping: conf/ezbookkeeping.ini, and the source of its OAuth2 sign-in',
      'Authelia documentation: ezBookkeeping, OpenID Connect 1.0 integration',
      'Pocket ID documentation: ezBookkeeping',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
