import { composeEnvironment } from '../blocks.ts';
import { originOf, providerName } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { literal } from '../text.ts';

export const paperlessNgx = recipe({
  id: 'paperless-ngx',
  name: 'Paperless-ngx',
  mark: 'paperlessngx',
  kind: 'program',
  summary: 'Scanned documents',
  questions: {
    address: originOf('Paperless-ngx', 'https://paper.example.org'),
    provider: providerName('Name of this server inside Paperless'),
  },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address, provider }) => [`${address}/accounts/oidc/${provider}/login/callback/`],
  steps: [
    'Add the variables to the container of the web server.',
    'Restart the container. The sign-in page now has a button.',
    'Groups of Paperless with the name of a group here follow it at each sign-in: people added here are added there, people removed here are removed there.',
    'People with an account connect it under My Profile → Connect new social account.',
  ],
  blocks: ({ address, provider }, { server, clientId, clientSecret }) => [
    composeEnvironment('webserver', {
      PAPERLESS_URL: address,
      PAPERLESS_APPS: 'allauth.socialaccount.providers.openid_connect',
      PAPERLESS_SOCIAL_ACCOUNT_SYNC_GROUPS: 'true',
      PAPERLESS_SOCIALACCOUNT_PROVIDERS: providers(provider, server.issuer, clientId, clientSecret),
    }),
  ],
  trap: 'The provider_id is part of the redirect URI, and the trailing slash matters.',
  source: {
    version: 'Paperless-ngx 2.13.5',
    pages: [
      'Paperless-ngx documentation: Advanced Topics, OpenID Connect and Social Authentication',
      'Paperless-ngx documentation: Configuration, PAPERLESS_SOCIAL_ACCOUNT_SYNC_GROUPS',
      'Authelia documentation: Paperless, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});

/** The django-allauth setting, which Paperless reads as JSON on one line. */
function providers(provider: string, issuer: string, clientId: string, secret: string): string {
  const [id, name, client, key, url] = [provider, 'Gatehouse', clientId, secret, issuer].map(
    (value) => literal('json', value),
  );
  const settings = `{"server_url":${url},"token_auth_method":"client_secret_basic"}`;
  const app = `{"provider_id":${id},"name":${name},"client_id":${client},"secret":${key},"settings":${settings}}`;
  return `{"openid_connect":{"SCOPE":["openid","profile","email","groups"],"OAUTH_PKCE_ENABLED":true,"APPS":[${app}]}}`;
}
