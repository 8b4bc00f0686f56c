import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const wikiJs = recipe({
  id: 'wiki-js',
  name: 'Wiki.js',
  mark: 'wikidotjs',
  kind: 'program',
  summary: 'Wiki',
  questions: {
    address: originOf('Wiki.js', 'https://wiki.example.org'),
    strategy: {
      kind: 'name',
      label: 'Key of the strategy in Wiki.js',
      hint: 'Wiki.js creates it when you add the strategy. You’ll find it in the Callback URL, between /login/ and /callback.',
      placeholder: '6c7c3f43-63d5-4c3a-9d3e-0a4f7f8f2f11',
      suggestion: '',
    },
  },
  client: { ...webClient, authentication: 'post', pkce: 'not checked' },
  redirectUris: ({ address, strategy }) => [`${address}/login/${strategy}/callback`],
  steps: [
    'In Wiki.js, open Administration → Authentication → Add Strategy → Generic OpenID Connect / OAuth2, and copy the key from its Callback URL.',
    'Fill in the form, allow self-registration and choose a group for new people.',
    'Apply. The sign-in page now has a button.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Administration → Authentication → Generic OpenID Connect / OAuth2', {
      'Display Name': 'Gatehouse',
      'Client ID': clientId,
      'Client Secret': clientSecret,
      'Authorization Endpoint URL': server.authorize,
      'Token Endpoint URL': server.token,
      'User Info Endpoint URL': server.userinfo,
      Issuer: server.issuer,
      'Email Claim': 'email',
      'Display Name Claim': 'name',
      'Logout URL': server.logout,
      'Allow self-registration': 'on',
    }),
  ],
  trap: 'Wiki.js builds the redirect URI from its Site URL (Administration → General). If that’s wrong, sign-in is refused.',
  source: {
    version: 'Wiki.js 2.5.301',
    pages: [
      'Authelia documentation: Wiki.js, OpenID Connect 1.0 integration',
      'Wiki.js: source of its OpenID Connect strategy',
    ],
    notChecked: [
      'Whether Wiki.js sends PKCE.',
      'How to have it ask for the scope groups: its source asks for profile and email, and reads a claim groups if there is one.',
    ],
  },
  checked: 'documentation',
});
