import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python } from '../text.ts';

export const superset = recipe({
  id: 'superset',
  name: 'Apache Superset, Airflow',
  kind: 'program',
  summary: 'Anything made with Flask-AppBuilder',
  questions: { address: originOf('Superset or Airflow', 'https://superset.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) =>
    ['', '/auth'].map((path) => `${address}${path}/oauth-authorized/gatehouse`),
  steps: [
    'Put the first file beside the configuration, and the second one into superset_config.py (Airflow: webserver_config.py).',
    'Add the lines for your program, and restart it.',
    'People in the group superset-admins here become Admin there; everybody else has the role of AUTH_USER_REGISTRATION_ROLE.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'gatehouse_sso.py',
      ...python`
        class GatehouseSso:
            """Reads who signed in; mixed into the program's own security manager."""

            def oauth_user_info(self, provider, response=None):
                me = self.oauth_remotes[provider].get(${server.userinfo}).json()
                return {
                    'username': me['preferred_username'],
                    'email': me.get('email', ''),
                    'first_name': me.get('given_name', ''),
                    'last_name': me.get('family_name', ''),
                    'role_keys': me.get('groups', []),
                }
      `,
    },
    {
      title: 'In superset_config.py or webserver_config.py',
      ...python`
        from flask_appbuilder.security.manager import AUTH_OAUTH

        AUTH_TYPE = AUTH_OAUTH
        AUTH_USER_REGISTRATION = True
        AUTH_USER_REGISTRATION_ROLE = 'Public'
        AUTH_ROLES_MAPPING = {'superset-admins': ['Admin']}
        AUTH_ROLES_SYNC_AT_LOGIN = True
        OAUTH_PROVIDERS = [{
            'name': 'gatehouse',
            'icon': 'fa-key',
            'token_key': 'access_token',
            'remote_app': {
                'client_id': ${clientId},
                'client_secret': ${clientSecret},
                'server_metadata_url': ${server.discovery},
                'client_kwargs': {
                    'scope': 'openid profile email groups',
                    'code_challenge_method': 'S256',
                },
            },
        }]
      `,
    },
    {
      title: 'For Superset, below that',
      ...python`
        from superset.security import SupersetSecurityManager
        from gatehouse_sso import GatehouseSso

        class SecurityManager(GatehouseSso, SupersetSecurityManager):
            pass

        CUSTOM_SECURITY_MANAGER = SecurityManager
      `,
    },
    {
      title: 'For Airflow, below that',
      ...python`
        from airflow.providers.fab.auth_manager.security_manager.override import (
            FabAirflowSecurityManagerOverride,
        )
        from gatehouse_sso import GatehouseSso

        class SecurityManager(GatehouseSso, FabAirflowSecurityManagerOverride):
            pass

        SECURITY_MANAGER_CLASS = SecurityManager
      `,
    },
  ],
  trap: 'With AUTH_ROLES_SYNC_AT_LOGIN, roles without a matching group here are taken away at each sign-in. Make the group for admins first.',
  source: {
    version: 'Flask-AppBuilder 5.3.0',
    pages: [
      'Flask-AppBuilder documentation: Security, Authentication: OAuth',
      'Superset documentation: Configuring Superset, Custom OAuth2 Configuration',
      'Airflow documentation: FAB auth manager, Webserver authentication',
    ],
    notChecked: [
      'Superset and Airflow themselves: our tests run the first two texts with Flask-AppBuilder, which both use.',
    ],
  },
  checked: 'run',
});
