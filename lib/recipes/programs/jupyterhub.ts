import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const jupyterHub = recipe({
  id: 'jupyterhub',
  name: 'JupyterHub',
  mark: 'jupyter',
  kind: 'program',
  summary: 'Notebooks for many people',
  questions: { address: siteOf('JupyterHub', 'https://hub.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/hub/oauth_callback`],
  steps: [
    'Install oauthenticator where the hub is.',
    'Put the lines into jupyterhub_config.py and restart the hub.',
    'Only people in the groups jupyter-users and jupyter-admins here get in; the latter are administrators there.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'Where the hub is',
      ...shell`
        pip install oauthenticator
      `,
    },
    {
      title: 'jupyterhub_config.py',
      ...python`
        c.JupyterHub.authenticator_class = 'generic-oauth'
        c.GenericOAuthenticator.login_service = 'Gatehouse'
        c.GenericOAuthenticator.client_id = ${clientId}
        c.GenericOAuthenticator.client_secret = ${clientSecret}
        c.GenericOAuthenticator.oauth_callback_url = ${redirectUri}
        c.GenericOAuthenticator.authorize_url = ${server.authorize}
        c.GenericOAuthenticator.token_url = ${server.token}
        c.GenericOAuthenticator.userdata_url = ${server.userinfo}
        c.GenericOAuthenticator.scope = ['openid', 'profile', 'email', 'groups']
        c.GenericOAuthenticator.username_claim = 'preferred_username'
        c.GenericOAuthenticator.manage_groups = True
        c.GenericOAuthenticator.auth_state_groups_key = 'oauth_user.groups'
        c.GenericOAuthenticator.allowed_groups = {'jupyter-users'}
        c.GenericOAuthenticator.admin_groups = {'jupyter-admins'}
      `,
    },
  ],
  trap: 'Nobody gets in until allowed_groups, allowed_users or allow_all says who may. Names of people become names of accounts: turn USERNAME_CHANGE off, or use sub.',
  source: {
    version: 'JupyterHub 6.1.1 with oauthenticator 17.4.0',
    pages: [
      'OAuthenticator documentation: Generic OAuthenticator',
      'OAuthenticator: source of its OAuth2 sign-in',
    ],
    notChecked: [],
  },
  checked: 'run',
});
