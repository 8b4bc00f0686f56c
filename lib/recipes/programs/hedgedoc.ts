import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const hedgedoc = recipe({
  id: 'hedgedoc',
  name: 'HedgeDoc',
  kind: 'program',
  summary: 'Collaborative notes',
  questions: { address: siteOf('HedgeDoc', 'https://notes.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/auth/oauth2/callback`],
  steps: [
    'Add the variables to HedgeDoc’s environment.',
    'Restart HedgeDoc. “Sign in” now offers Gatehouse.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('hedgedoc', {
      CMD_DOMAIN: new URL(address).host,
      CMD_PROTOCOL_USESSL: String(address.startsWith('https:')),
      CMD_OAUTH2_PROVIDERNAME: 'Gatehouse',
      CMD_OAUTH2_CLIENT_ID: clientId,
      CMD_OAUTH2_CLIENT_SECRET: clientSecret,
      CMD_OAUTH2_SCOPE: 'openid email profile',
      CMD_OAUTH2_AUTHORIZATION_URL: server.authorize,
      CMD_OAUTH2_TOKEN_URL: server.token,
      CMD_OAUTH2_USER_PROFILE_URL: server.userinfo,
      CMD_OAUTH2_USER_PROFILE_ID_ATTR: 'sub',
      CMD_OAUTH2_USER_PROFILE_USERNAME_ATTR: 'preferred_username',
      CMD_OAUTH2_USER_PROFILE_DISPLAY_NAME_ATTR: 'name',
      CMD_OAUTH2_USER_PROFILE_EMAIL_ATTR: 'email',
    }),
  ],
  trap: 'HedgeDoc builds the redirect URI from CMD_DOMAIN and CMD_PROTOCOL_USESSL. Without the latter it uses http://.',
  source: {
    version: 'HedgeDoc 1.10.0',
    pages: [
      'Authelia documentation: HedgeDoc, OpenID Connect 1.0 integration',
      'authentik documentation: Integrate with HedgeDoc',
      'HedgeDoc: source of the OAuth2 sign-in',
    ],
    notChecked: ['HedgeDoc below a path, which also needs CMD_URL_PATH.'],
  },
  checked: 'documentation',
});
