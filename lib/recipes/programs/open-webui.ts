import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const openWebui = recipe({
  id: 'open-webui',
  name: 'Open WebUI',
  kind: 'program',
  summary: 'Chat with language models',
  questions: { address: originOf('Open WebUI', 'https://ai.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oauth/oidc/callback`],
  backchannelLogoutUri: ({ address }) => `${address}/oauth/backchannel-logout`,
  steps: [
    'Add the variables to Open WebUI’s environment.',
    'Restart Open WebUI. The sign-in page now has a button.',
    'Only people in the groups openwebui-users and openwebui-admins here get in; the latter are administrators there.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    composeEnvironment('open-webui', {
      WEBUI_URL: address,
      ENABLE_OAUTH_SIGNUP: 'true',
      OAUTH_PROVIDER_NAME: 'Gatehouse',
      OPENID_PROVIDER_URL: server.discovery,
      OPENID_REDIRECT_URI: redirectUri,
      OAUTH_CLIENT_ID: clientId,
      OAUTH_CLIENT_SECRET: clientSecret,
      OAUTH_SCOPES: 'openid email profile groups',
      OAUTH_CODE_CHALLENGE_METHOD: 'S256',
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ROLES_CLAIM: 'groups',
      OAUTH_ALLOWED_ROLES: 'openwebui-users,openwebui-admins',
      OAUTH_ADMIN_ROLES: 'openwebui-admins',
      ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true',
    }),
  ],
  trap: 'Open WebUI insists on an email address. Back-channel logout only ends open sessions immediately if REDIS_URL is set.',
  source: {
    version: 'Open WebUI, its documentation of August 2026',
    pages: [
      'Open WebUI documentation: SSO; Environment Variable Configuration',
      'Authelia documentation: Open WebUI, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
