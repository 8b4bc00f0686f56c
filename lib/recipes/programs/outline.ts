import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const outline = recipe({
  id: 'outline',
  name: 'Outline',
  mark: 'outline',
  kind: 'program',
  summary: 'Wiki for teams',
  questions: { address: originOf('Outline', 'https://wiki.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/auth/oidc.callback`],
  postLogoutRedirectUris: ({ address }) => [address],
  steps: [
    'Add the variables to Outline’s environment.',
    'Restart Outline. The first person to sign in owns the workspace.',
    'Give everyone a name here: Outline refuses people who have none.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('outline', {
      URL: address,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_AUTH_URI: server.authorize,
      OIDC_TOKEN_URI: server.token,
      OIDC_USERINFO_URI: server.userinfo,
      OIDC_LOGOUT_URI: server.logout,
      OIDC_USERNAME_CLAIM: 'preferred_username',
      OIDC_DISPLAY_NAME: 'Gatehouse',
      OIDC_SCOPES: 'openid offline_access profile email',
    }),
  ],
  trap: 'Outline needs a refresh token and everyone’s email address. Keep offline_access and email among the scopes.',
  source: {
    version: 'Outline 0.65.2',
    pages: [
      'Authelia documentation: Outline, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Outline',
    ],
    notChecked: [
      'Whether Outline sends PKCE with these variables.',
      'Whether Outline sends an address to return to after signing out.',
    ],
  },
  checked: 'documentation',
});
