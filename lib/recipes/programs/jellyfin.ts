import { form } from '../blocks.ts';
import { providerName, siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const jellyfin = recipe({
  id: 'jellyfin',
  name: 'Jellyfin',
  mark: 'jellyfin',
  kind: 'program',
  summary: 'Movies and music, with the SSO plugin',
  questions: {
    address: siteOf('Jellyfin', 'https://media.example.org'),
    provider: providerName('Name of the provider in the plugin'),
  },
  client: {
    ...webClient,
    scopes: ['openid', 'profile', 'groups', 'offline_access'],
    authentication: 'post',
    pkce: 'by default',
  },
  redirectUris: ({ address, provider }) => [
    `${address}/sso/OID/redirect/${provider}`,
    `${address}/sso/OID/r/${provider}`,
  ],
  homePage: ({ address, provider }) => `${address}/sso/OID/start/${provider}`,
  steps: [
    'In Jellyfin, install the plugin “SSO Authentication” from its project’s repository, then restart Jellyfin.',
    'Open Dashboard → Plugins → SSO-Auth, fill in the form and save.',
    'People in the group jellyfin-admins here become administrators there. With “Roles” filled in, only people in those groups get in.',
    'People sign in at the start address. Add it to the sign-in page under Dashboard → General → Branding.',
  ],
  blocks: ({ address, provider }, { server, clientId, clientSecret }) => [
    form('Dashboard → Plugins → SSO-Auth', {
      'Name of OpenID Provider': provider,
      'OpenID Endpoint': server.issuer,
      'OpenID Client ID': clientId,
      'OpenID Client Secret': clientSecret,
      Enabled: 'ticked',
      'Enable Authorization by Plugin': 'ticked',
      'Admin Roles': 'jellyfin-admins',
      'Role Claim': 'groups',
      'Request Additional Scopes': 'groups',
      'Set default username claim': 'preferred_username',
      'Scheme Override': new URL(address).protocol.slice(0, -1),
    }),
    form('Where people sign in', { 'Start address': `${address}/sso/OID/start/${provider}` }),
  ],
  trap: 'Behind a proxy, the plugin uses http:// unless “Scheme Override” is https. It works in browsers but not in Jellyfin’s apps.',
  source: {
    version: 'Jellyfin 10.10.6 with jellyfin-plugin-sso',
    pages: [
      'jellyfin-plugin-sso: README',
      'Authelia documentation: Jellyfin, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Jellyfin',
    ],
    notChecked: ['Whether the plugin is still maintained.'],
  },
  checked: 'documentation',
});
