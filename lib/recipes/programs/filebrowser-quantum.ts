import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { yaml } from '../text.ts';

export const fileBrowserQuantum = recipe({
  id: 'filebrowser-quantum',
  name: 'FileBrowser Quantum',
  kind: 'program',
  summary: 'Files in the browser',
  questions: { address: siteOf('FileBrowser', 'https://files.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/api/auth/oidc/callback`],
  steps: [
    'Put the section into config.yaml.',
    'Restart FileBrowser. The sign-in page now has a button.',
    'People in the group filebrowser-admins here become administrators there. With userGroups, only people in those groups get in.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'config.yaml',
      ...yaml`
        auth:
          methods:
            oidc:
              enabled: true
              issuerUrl: ${server.issuer}
              clientId: ${clientId}
              clientSecret: ${clientSecret}
              scopes: openid email profile groups
              userIdentifier: preferred_username
              groupsClaim: groups
              adminGroup: filebrowser-admins
              logoutRedirectUrl: ${server.logout}
      `,
    },
  ],
  trap: 'FileBrowser refuses to start while it cannot reach this server. It builds the redirect URI from the host that the proxy passes on.',
  source: {
    version: 'FileBrowser Quantum 1.5.1',
    pages: [
      'FileBrowser Quantum: source of its settings and of its OpenID Connect sign-in',
      'Authelia documentation: FileBrowser Quantum, OpenID Connect 1.0 integration',
      'Pocket ID documentation: FileBrowser Quantum',
    ],
    notChecked: ['Versions before 1.5, which also want createUser: true.'],
  },
  checked: 'documentation',
});
