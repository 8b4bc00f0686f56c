import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const opengist = recipe({
  id: 'opengist',
  name: 'Opengist',
  kind: 'program',
  summary: 'Snippets of code',
  questions: { address: siteOf('Opengist', 'https://gist.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/oauth/openid-connect/callback`],
  steps: [
    'Add the variables to Opengist’s environment.',
    'Restart Opengist. The sign-in page now has a button.',
    'People in the group opengist-admins here are administrators there; it is looked at with each sign-in.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('opengist', {
      OG_EXTERNAL_URL: address,
      OG_OIDC_PROVIDER_NAME: 'Gatehouse',
      OG_OIDC_CLIENT_KEY: clientId,
      OG_OIDC_SECRET: clientSecret,
      OG_OIDC_DISCOVERY_URL: server.discovery,
      OG_OIDC_GROUP_CLAIM_NAME: 'groups',
      OG_OIDC_ADMIN_GROUP: 'opengist-admins',
    }),
  ],
  trap: 'Without OG_EXTERNAL_URL, Opengist builds the redirect URI from the request, behind a proxy with http://.',
  source: {
    version: 'Opengist 1.15.1',
    pages: [
      'Opengist documentation: Use OAuth providers',
      'Opengist: source of its OpenID Connect provider',
      'Authelia documentation: Opengist, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
