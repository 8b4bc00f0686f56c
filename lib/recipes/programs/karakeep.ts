import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const karakeep = recipe({
  id: 'karakeep',
  name: 'Karakeep',
  mark: 'karakeep',
  kind: 'program',
  summary: 'Bookmarks',
  questions: { address: originOf('Karakeep', 'https://keep.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/auth/callback/custom`],
  steps: [
    'Add the variables to Karakeep’s environment.',
    'Restart Karakeep. The sign-in page now has a button.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('karakeep', {
      NEXTAUTH_URL: address,
      OAUTH_PROVIDER_NAME: 'Gatehouse',
      OAUTH_WELLKNOWN_URL: server.discovery,
      OAUTH_CLIENT_ID: clientId,
      OAUTH_CLIENT_SECRET: clientSecret,
      OAUTH_SCOPE: 'openid email profile',
    }),
  ],
  trap: 'Karakeep builds the redirect URI from NEXTAUTH_URL. People who have an account there with the same email address are turned away unless OAUTH_ALLOW_DANGEROUS_EMAIL_ACCOUNT_LINKING is true.',
  source: {
    version: 'Karakeep 0.33.1',
    pages: [
      'Karakeep documentation: Environment Variables, Authentication',
      'Karakeep: source of its sign-in',
      'Authelia documentation: Karakeep, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
