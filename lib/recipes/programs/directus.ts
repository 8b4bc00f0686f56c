import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const directus = recipe({
  id: 'directus',
  name: 'Directus',
  mark: 'directus',
  kind: 'program',
  summary: 'Content for websites and apps',
  questions: { address: siteOf('Directus', 'https://cms.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/auth/login/gatehouse/callback`],
  steps: [
    'Add the variables to Directus’s environment. Take the id of a role from Settings → Access Control.',
    'Restart Directus. The sign-in page now has a button.',
    'People in the group directus-editors here get the role beside it; write more pairs for more groups.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('directus', {
      PUBLIC_URL: address,
      AUTH_PROVIDERS: 'gatehouse',
      AUTH_GATEHOUSE_DRIVER: 'openid',
      AUTH_GATEHOUSE_LABEL: 'Gatehouse',
      AUTH_GATEHOUSE_CLIENT_ID: clientId,
      AUTH_GATEHOUSE_CLIENT_SECRET: clientSecret,
      AUTH_GATEHOUSE_ISSUER_URL: server.discovery,
      AUTH_GATEHOUSE_SCOPE: 'openid profile email groups',
      AUTH_GATEHOUSE_IDENTIFIER_KEY: 'sub',
      AUTH_GATEHOUSE_ALLOW_PUBLIC_REGISTRATION: 'true',
      AUTH_GATEHOUSE_GROUP_CLAIM_NAME: 'groups',
      AUTH_GATEHOUSE_ROLE_MAPPING: 'json:{"directus-editors":"ID-OF-A-ROLE"}',
    }),
  ],
  trap: 'Without ALLOW_PUBLIC_REGISTRATION, only people who were added in Directus get in. People in none of the groups have no role and see nothing.',
  source: {
    version: 'Directus 12.4.1',
    pages: ['Directus documentation: Auth & SSO'],
    notChecked: ['The mapping of roles; the run was without it.', 'Signing out here too.'],
  },
  checked: { byHand: '22 November 2026' },
});
