import { form } from '../blocks.ts';
import { providerName, siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const gitea = recipe({
  id: 'gitea',
  name: 'Gitea',
  mark: 'gitea',
  kind: 'program',
  summary: 'Git hosting',
  questions: {
    address: siteOf('Gitea', 'https://git.example.org'),
    provider: providerName('Name of the authentication source'),
  },
  client: { ...webClient, authentication: 'basic', pkce: 'not checked' },
  redirectUris: ({ address, provider }) => [`${address}/user/oauth2/${provider}/callback`],
  steps: [
    'In Gitea, open Site Administration → Identity & Access → Authentication Sources → Add Authentication Source.',
    'Fill in the form, or run the command on the server instead.',
    'Sign out. The sign-in page now has a button with the name of the source.',
    'People in the group gitea-admins here become administrators there; all others of this source lose that right at their next sign-in.',
  ],
  blocks: ({ provider }, { server, clientId, clientSecret }) => [
    form('Site Administration → Authentication Sources → Add Authentication Source', {
      'Authentication Type': 'OAuth2',
      'Authentication Name': provider,
      'OAuth2 Provider': 'OpenID Connect',
      'Client ID (Key)': clientId,
      'Client Secret': clientSecret,
      'OpenID Connect Auto Discovery URL': server.discovery,
      'Additional Scopes': 'profile email groups',
      'Claim name providing group names for this source. (Optional)': 'groups',
      'Group Claim value for administrator users. (Optional - requires claim name above)':
        'gitea-admins',
    }),
    {
      title: 'Or on the command line, as the user that runs Gitea',
      ...shell`
        gitea admin auth add-oauth \
          --provider=openidConnect \
          --name=${provider} \
          --key=${clientId} \
          --secret=${clientSecret} \
          --auto-discover-url=${server.discovery} \
          --scopes='openid email profile groups' \
          --group-claim-name=groups \
          --admin-group=gitea-admins
      `,
    },
  ],
  trap: 'The authentication name is part of the redirect URI. If it differs between Gitea and here, the redirect URI isn’t registered and sign-in fails.',
  source: {
    version: 'Gitea 1.26.0',
    pages: [
      'Authelia documentation: Gitea, OpenID Connect 1.0 integration',
      'go-gitea/gitea: cmd/admin_auth_oauth.go, for the groups',
    ],
    notChecked: [
      'Since which version Gitea has sent PKCE. Its current source does for OpenID Connect.',
    ],
  },
  checked: { byHand: '22 November 2026' },
});
