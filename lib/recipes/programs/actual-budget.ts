import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const actualBudget = recipe({
  id: 'actual-budget',
  name: 'Actual Budget',
  mark: 'actualbudget',
  kind: 'program',
  summary: 'Household budget',
  questions: { address: originOf('Actual', 'https://budget.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/openid/callback`],
  steps: [
    'Add the variables to the environment of the Actual server.',
    'Restart Actual. Sign-in with OpenID asks for the server password once more.',
    'The first person to sign in becomes the owner, and lets in everyone else under User Directory.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('actual_server', {
      ACTUAL_OPENID_DISCOVERY_URL: server.issuer,
      ACTUAL_OPENID_CLIENT_ID: clientId,
      ACTUAL_OPENID_CLIENT_SECRET: clientSecret,
      ACTUAL_OPENID_SERVER_HOSTNAME: address,
    }),
  ],
  trap: 'The first person to sign in becomes the owner of the server. Do that yourself before you tell anyone.',
  source: {
    version: 'Actual 25.1.0, and its documentation of November 2025',
    pages: [
      'Actual documentation: Authenticating With an OpenID Provider',
      'Authelia documentation: Actual Budget, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Actual Budget',
    ],
    notChecked: ['Whether Actual sends PKCE.'],
  },
  checked: 'documentation',
});
