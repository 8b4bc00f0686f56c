import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { json } from '../text.ts';

export const meshCentral = recipe({
  id: 'meshcentral',
  name: 'MeshCentral',
  kind: 'program',
  summary: 'Remote desktops',
  questions: { address: originOf('MeshCentral', 'https://mesh.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/auth-oidc-callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/login`],
  steps: [
    'Put the section into config.json, below domains.',
    'Restart MeshCentral. The sign-in page now has a button.',
    'People in the group meshcentral-admins here become site administrators there.',
    'Signing out there leads here, where one more click is needed: MeshCentral doesn’t say who it is.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'config.json',
      ...json`
        {
          "domains": {
            "": {
              "authStrategies": {
                "oidc": {
                  "issuer": ${server.issuer},
                  "client": {
                    "client_id": ${clientId},
                    "client_secret": ${clientSecret},
                    "redirect_uri": ${redirectUri},
                    "post_logout_redirect_uri": ${`${address}/login`}
                  },
                  "custom": { "scope": ["openid", "profile", "email"] },
                  "groups": {
                    "claim": "groups",
                    "scope": "groups",
                    "siteadmin": ["meshcentral-admins"],
                    "revokeAdmin": true
                  },
                  "newAccounts": true
                }
              }
            }
          }
        }
      `,
    },
  ],
  trap: 'MeshCentral needs its own host name in settings.cert; without it, the redirect URI that it sends is another one.',
  source: {
    version: 'MeshCentral 1.1.55',
    pages: [
      'MeshCentral documentation: Using the OpenID Connect Strategy',
      'Authelia documentation: MeshCentral, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'run',
});
