import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { yaml } from '../text.ts';

export const dex = recipe({
  id: 'dex',
  name: 'Dex',
  kind: 'program',
  summary: 'Passes sign-ins on',
  questions: { address: siteOf('Dex', 'https://dex.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  steps: [
    'Add the connector to Dex’s configuration.',
    'Restart Dex. Its sign-in page now offers Gatehouse.',
    'Groups of this server are passed on to apps that ask Dex for the scope groups.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'config.yaml',
      ...yaml`
        connectors:
          - type: oidc
            id: gatehouse
            name: Gatehouse
            config:
              issuer: ${server.issuer}
              clientID: ${clientId}
              clientSecret: ${clientSecret}
              redirectURI: ${redirectUri}
              scopes: [profile, email, groups]
              insecureEnableGroups: true
              getUserInfo: true
              pkceChallenge: S256
              userNameKey: preferred_username
      `,
    },
  ],
  trap: 'Without insecureEnableGroups, Dex drops groups. “Insecure” means that it asks for them again only at a sign-in or a refresh.',
  source: {
    version: 'Dex 2.45',
    pages: [
      'Dex documentation: Authentication Through an OpenID Connect Provider',
      'Dex: source of its OIDC connector',
    ],
    notChecked: [
      'pkceChallenge, getUserInfo and userNameKey; the run was without them.',
      'A second refresh through Dex with its memory storage.',
    ],
  },
  checked: { byHand: '22 November 2026' },
});
