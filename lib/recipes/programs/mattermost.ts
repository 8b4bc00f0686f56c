import { form } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const mattermost = recipe({
  id: 'mattermost',
  name: 'Mattermost',
  mark: 'mattermost',
  kind: 'program',
  summary: 'Chat for teams; editions with OpenID Connect',
  questions: { address: siteOf('Mattermost', 'https://chat.example.org') },
  client: { ...webClient, authentication: 'not checked', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/signup/openid/complete`],
  steps: [
    'In Mattermost, open System Console → Authentication → OpenID Connect.',
    'Choose “OpenID Connect (Other)”, fill in the form and save.',
    'Sign out. The sign-in page now has a button.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('System Console → Authentication → OpenID Connect', {
      'Select service provider': 'OpenID Connect (Other)',
      'Button Name': 'Gatehouse',
      'Discovery Endpoint': server.discovery,
      'Client ID': clientId,
      'Client Secret': clientSecret,
    }),
  ],
  trap: 'The free Team Edition has no OpenID Connect, and its “GitLab” sign-in needs a numeric id, which this server doesn’t send.',
  source: {
    version: 'Mattermost 10',
    pages: [
      'Mattermost documentation: OpenID Connect Single Sign-On',
      'Mattermost: source of the GitLab provider and of the mobile app',
    ],
    notChecked: ['Whether Mattermost sends PKCE.', 'How it authenticates at the token endpoint.'],
  },
  checked: 'documentation',
});
