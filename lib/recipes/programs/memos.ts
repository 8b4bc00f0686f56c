import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const memos = recipe({
  id: 'memos',
  name: 'Memos',
  kind: 'program',
  summary: 'Notes',
  questions: { address: originOf('Memos', 'https://memos.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/auth/callback`],
  steps: [
    'In Memos, open Settings → SSO → Create.',
    'Choose the type OAuth2 and the template Custom, fill in the form and save.',
    'Sign out. The sign-in page now has a button.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Settings → SSO → Create', {
      Name: 'Gatehouse',
      'Client ID': clientId,
      'Client secret': clientSecret,
      'Authorization endpoint': server.authorize,
      'Token endpoint': server.token,
      'User endpoint': server.userinfo,
      Scopes: 'openid profile email',
      Identifier: 'sub',
      'Display Name': 'name',
      Email: 'email',
    }),
  ],
  trap: 'Memos knows people by the field that Identifier names. With preferred_username, anyone with a username here gets the account of that name there.',
  source: {
    version: 'Memos 0.30.0',
    pages: [
      'Memos: source of its form and of its OAuth2 sign-in',
      'Authelia documentation: Memos, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Memos',
    ],
    notChecked: ['PKCE: by its source it is sent wherever the page is opened by https.'],
  },
  checked: 'documentation',
});
