import { form } from '../blocks.ts';
import { providerName, siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const forgejo = recipe({
  id: 'forgejo',
  name: 'Forgejo',
  kind: 'program',
  summary: 'Git hosting',
  questions: {
    address: siteOf('Forgejo', 'https://git.example.org'),
    provider: providerName('Name of the authentication source'),
  },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address, provider }) => [`${address}/user/oauth2/${provider}/callback`],
  steps: [
    'In Forgejo, open Site administration → Identity & access → Authentication sources → Add authentication source.',
    'Fill in the form, or run the command on the server instead.',
    'Sign out. The sign-in page now has a button with the name of the source.',
    'People in the group forgejo-admins here become administrators there; all others of this source lose that right at their next sign-in.',
  ],
  blocks: ({ provider }, { server, clientId, clientSecret }) => [
    form('Site administration → Authentication sources → Add authentication source', {
      'Authentication type': 'OAuth2',
      'Authentication name': provider,
      'OAuth2 provider': 'OpenID Connect',
      'Client ID (Key)': clientId,
      'Client secret': clientSecret,
      'OpenID Connect Auto Discovery URL': server.discovery,
      'Additional scopes': 'email profile groups',
      'Claim name providing group names for this source. (Optional)': 'groups',
      'Group Claim value for administrator users. (Optional - requires claim name above)':
        'forgejo-admins',
    }),
    {
      title: 'Or on the command line, as the user that runs Forgejo',
      ...shell`
        forgejo admin auth add-oauth \
          --provider=openidConnect \
          --name=${provider} \
          --key=${clientId} \
          --secret=${clientSecret} \
          --auto-discover-url=${server.discovery} \
          --scopes='openid email profile groups' \
          --group-claim-name=groups \
          --admin-group=forgejo-admins
      `,
    },
  ],
  trap: 'The authentication name is part of the redirect URI. If it differs between Forgejo and here, the redirect URI isn’t registered and sign-in fails.',
  source: {
    version: 'Forgejo 13.0.2',
    pages: ['Authelia documentation: Forgejo, OpenID Connect 1.0 integration'],
    notChecked: ['Whether every version sends PKCE. The guide requires it for this one.'],
  },
  checked: 'documentation',
});
