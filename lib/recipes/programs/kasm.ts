import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const kasm = recipe({
  id: 'kasm',
  name: 'Kasm Workspaces',
  kind: 'program',
  summary: 'Desktops in the browser',
  questions: { address: originOf('Kasm', 'https://kasm.example.org') },
  client: { ...webClient, authentication: 'not checked', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/api/oidc_callback`],
  steps: [
    'In Kasm, open Access Management → Authentication → OpenID → Add Config.',
    'Fill in the form and save. The redirect URL is filled in already.',
    'To give rights by group, add an SSO mapping with the name of a group here to a group there.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Access Management → Authentication → OpenID → Add Config', {
      Enabled: 'ticked',
      'Display Name': 'Gatehouse',
      'Client ID': clientId,
      'Client Secret': clientSecret,
      'Authorization URL': server.authorize,
      'Token URL': server.token,
      'User Info URL': server.userinfo,
      'Scope (one per line)': 'openid profile email groups',
      'Username Attribute': 'preferred_username',
      'Groups Attribute': 'groups',
      'OpenID Connect Issuer': server.issuer,
    }),
  ],
  trap: 'Kasm sends no PKCE, and each zone with a host name of its own has a redirect URL of its own: add those here.',
  source: {
    version: 'Kasm Workspaces 1.13',
    pages: [
      'Authelia documentation: Kasm Workspaces, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Kasm Workspaces',
    ],
    notChecked: [
      'How Kasm authenticates at the token endpoint.',
      'Kasm’s own documentation, which we could not read.',
    ],
  },
  checked: 'documentation',
});
