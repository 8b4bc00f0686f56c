import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const pangolin = recipe({
  id: 'pangolin',
  name: 'Pangolin',
  mark: 'pangolin',
  kind: 'program',
  summary: 'Tunnels and a gate in front of apps',
  questions: {
    address: originOf('Pangolin', 'https://pangolin.example.org'),
    idp: {
      kind: 'name',
      label: 'Number of the identity provider in Pangolin',
      hint: 'Pangolin gives it when you add the provider. It’s in the redirect URL, between /idp/ and /oidc.',
      placeholder: '1',
      suggestion: '1',
    },
  },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by default' },
  redirectUris: ({ address, idp }) => [`${address}/auth/idp/${idp}/oidc/callback`],
  steps: [
    'In Pangolin, open Server Admin → Identity Providers → Add Identity Provider → OAuth2/OIDC.',
    'Fill in the form and create it. Compare the redirect URL that Pangolin shows with the one here.',
    'For people who come by themselves, turn on Auto Provision Users and write the role mapping.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Identity Providers → OAuth2/OIDC', {
      Name: 'Gatehouse',
      'Client ID': clientId,
      'Client Secret': clientSecret,
      'Authorization URL': server.authorize,
      'Token URL': server.token,
      'Identifier Path': 'sub',
      'Email Path': 'email',
      'Name Path': 'name',
      Scopes: 'openid profile email groups',
    }),
    form('Auto Provisioning', {
      'Role Mapping (raw expression)': "contains(groups, 'pangolin-admins') && 'Admin' || 'Member'",
    }),
  ],
  trap: 'Without auto provisioning, each person has to be added in Pangolin first, as an external user with their sub as the username.',
  source: {
    version: 'Pangolin, its documentation of August 2026',
    pages: [
      'Pangolin documentation: OAuth2/OIDC; Auto Provisioning',
      'Authelia documentation: Pangolin, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Pangolin',
    ],
    notChecked: ['That PKCE is sent: the guide requires it for version 1.14.'],
  },
  checked: 'documentation',
});
