import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const netBird = recipe({
  id: 'netbird',
  name: 'NetBird',
  kind: 'program',
  summary: 'Private network',
  questions: { address: originOf('NetBird', 'https://netbird.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/oauth2/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/oauth2/logout/callback`],
  steps: [
    'In NetBird’s dashboard, open Settings → Identity Providers → Add Identity Provider.',
    'Fill in the form and save. NetBird shows its redirect URL: compare it with the one here.',
    'For groups, turn on JWT group sync under Settings → Groups, with the claim groups.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Settings → Identity Providers → Add Identity Provider', {
      Type: 'Generic OIDC',
      Name: 'Gatehouse',
      'Client ID': clientId,
      'Client Secret': clientSecret,
      Issuer: server.issuer,
    }),
    form('Settings → Groups', { 'JWT group sync': 'on', 'JWT claim': 'groups' }),
  ],
  trap: 'This is for a NetBird with its own embedded sign-in, as its set-up makes it today. One that was set up with Zitadel is connected inside Zitadel.',
  source: {
    version: 'NetBird, its documentation of August 2026',
    pages: [
      'NetBird documentation: Generic OIDC Provider; PocketID',
      'Authelia documentation: NetBird, OpenID Connect 1.0 integration',
    ],
    notChecked: [
      'The redirect URL: NetBird’s pages say that it shows it, not what it is.',
      'Whether it sends PKCE, and whether groups reach it through its embedded sign-in.',
    ],
  },
  checked: 'documentation',
});
