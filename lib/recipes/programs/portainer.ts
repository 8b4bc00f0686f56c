import { form } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const portainer = recipe({
  id: 'portainer',
  name: 'Portainer',
  mark: 'portainer',
  kind: 'program',
  summary: 'Containers',
  questions: { address: siteOf('Portainer', 'https://portainer.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'not checked' },
  redirectUris: ({ address }) => [address],
  steps: [
    'In Portainer, open Settings → Authentication and choose OAuth, then Custom.',
    'Fill in the form and save. Leave “Hide internal authentication prompt” off until it works.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    form('Settings → Authentication → OAuth → Custom', {
      'Automatic user provisioning': 'on',
      'Client ID': clientId,
      'Client secret': clientSecret,
      'Authorization URL': server.authorize,
      'Access token URL': server.token,
      'Resource URL': server.userinfo,
      'Redirect URL': address,
      'Logout URL': server.logout,
      'User identifier': 'preferred_username',
      Scopes: 'openid profile email groups',
      'Auth Style': 'In Params',
    }),
    form('Team membership, in Portainer Business Edition', {
      'Automatic team membership': 'on',
      'Claim name': 'groups',
      'Statically assigned teams': '^portainer-operators$ → your team',
    }),
  ],
  trap: 'Depending on the version, Portainer separates scopes by spaces or commas. New people see no environment until they join a team.',
  source: {
    version: 'Portainer 2.21.4',
    pages: [
      'Authelia documentation: Portainer, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Portainer',
      'Portainer documentation: Authenticate via OAuth',
    ],
    notChecked: ['Whether Portainer sends PKCE.', 'How older versions separate scopes.'],
  },
  checked: 'documentation',
});
