import { recipe, serviceClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const service = recipe({
  id: 'service',
  name: 'Service',
  kind: 'plain',
  summary: 'A program that acts on its own, without people',
  names:
    'machine to machine, m2m, m2m token, client credentials, service account, service principal, daemon, cron job, background job, backend, server to server, robot account',
  questions: {},
  client: { ...serviceClient, authentication: 'basic or post' },
  redirectUris: () => [],
  homePage: () => null,
  steps: [
    'Choose the scopes the app can ask for under Permissions.',
    'Request a token, use it until it expires, then request the next one.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'Ask for a token',
      ...shell`
        curl --silent --fail-with-body \
          --user ${`${clientId}:${clientSecret}`} \
          --data grant_type=client_credentials \
          ${server.token}
      `,
    },
  ],
  trap: 'These tokens have no user: user information returns 403, and the scopes openid, profile and email are refused.',
  source: {
    version: 'curl 7.76 and later',
    pages: ['RFC 6749 section 4.4'],
    notChecked: [],
  },
  checked: 'run',
});
