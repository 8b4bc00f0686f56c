import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python } from '../text.ts';

export const pgAdmin = recipe({
  id: 'pgadmin',
  name: 'pgAdmin',
  kind: 'program',
  summary: 'PostgreSQL in the browser',
  questions: { address: siteOf('pgAdmin', 'https://pgadmin.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oauth2/authorize`],
  steps: [
    'Put the lines into config_local.py (in the container: /pgadmin4/config_local.py).',
    'Restart pgAdmin. The sign-in page now has a button.',
    'Only people in the group pgadmin-users here get in. Leave out OAUTH2_ADDITIONAL_CLAIMS to let in everybody who may use the app.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'config_local.py',
      ...python`
        AUTHENTICATION_SOURCES = ['oauth2', 'internal']
        OAUTH2_AUTO_CREATE_USER = True
        OAUTH2_CONFIG = [{
            'OAUTH2_NAME': 'gatehouse',
            'OAUTH2_DISPLAY_NAME': 'Gatehouse',
            'OAUTH2_CLIENT_ID': ${clientId},
            'OAUTH2_CLIENT_SECRET': ${clientSecret},
            'OAUTH2_SERVER_METADATA_URL': ${server.discovery},
            'OAUTH2_AUTHORIZATION_URL': ${server.authorize},
            'OAUTH2_TOKEN_URL': ${server.token},
            'OAUTH2_API_BASE_URL': ${server.issuer},
            'OAUTH2_USERINFO_ENDPOINT': ${server.userinfo},
            'OAUTH2_SCOPE': 'openid email profile groups',
            'OAUTH2_USERNAME_CLAIM': 'preferred_username',
            'OAUTH2_ADDITIONAL_CLAIMS': {'groups': ['pgadmin-users']},
            'OAUTH2_CHALLENGE_METHOD': 'S256',
            'OAUTH2_RESPONSE_TYPE': 'code',
            'OAUTH2_ICON': 'fa-openid',
        }]
      `,
    },
  ],
  trap: 'pgAdmin reads OAUTH2_CONFIG alone: single variables such as OAUTH2_CLIENT_ID, in the environment too, are ignored. Administrators are named inside pgAdmin.',
  source: {
    version: 'pgAdmin 4 9.18',
    pages: [
      'pgAdmin documentation: Enabling OAUTH2 Authentication',
      'Authelia documentation: pgAdmin, OpenID Connect 1.0 integration',
      'Pocket ID documentation: pgAdmin',
    ],
    notChecked: [],
  },
  checked: 'run',
});
