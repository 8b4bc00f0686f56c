import { form } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

const languages = [
  ...['en_US', 'en_GB', 'de_DE', 'de_DE_formal', 'de_CH', 'de_AT', 'fr_FR', 'es_ES', 'it_IT'],
  ...['nl_NL', 'pt_BR', 'pt_PT', 'pl_PL', 'ru_RU', 'uk', 'cs_CZ', 'sv_SE', 'da_DK', 'nb_NO'],
  ...['fi', 'hu_HU', 'ro_RO', 'el', 'tr_TR', 'he_IL', 'ar', 'fa_IR', 'ja', 'ko_KR', 'zh_CN'],
];

export const wordpress = recipe({
  id: 'wordpress',
  name: 'WordPress',
  mark: 'wordpress',
  kind: 'stack',
  summary: 'With the plugin OpenID Connect Generic Client',
  questions: { address: siteOf('WordPress', 'https://www.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'no' },
  redirectUris: ({ address }) => [
    `${address}/wp-admin/admin-ajax.php?action=openid-connect-authorize`,
  ],
  // The last page of WordPress names the language of whoever signs out.
  postLogoutRedirectUris: ({ address }) => [
    `${address}/`,
    ...languages.map((each) => `${address}/wp-login.php?loggedout=true&wp_lang=${each}`),
  ],
  steps: [
    'In WordPress, install the plugin “OpenID Connect Generic Client” by daggerhart.',
    'Open Settings → OpenID Connect Client, fill in the form and save.',
    'Sign out. The sign-in page now has a button.',
    'If your WordPress speaks a language that isn’t among the sign-out addresses here, add its address: the refused attempt offers that.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Settings → OpenID Connect Client', {
      'Login Type': 'OpenID Connect button on login form',
      'Client ID': clientId,
      'Client Secret Key': clientSecret,
      'OpenID Scope': 'openid profile email offline_access',
      'Login Endpoint URL': server.authorize,
      'Userinfo Endpoint URL': server.userinfo,
      'Token Validation Endpoint URL': server.token,
      'End Session Endpoint URL': server.logout,
      'Identity Key': 'sub',
      'Nickname Key': 'preferred_username',
      'Email Formatting': '{email}',
      'Display Name Formatting': '{name}',
      'Enable Refresh Token': 'ticked',
      'Link Existing Users': 'not ticked',
    }),
  ],
  trap: '“Link Existing Users” gives a WordPress account to anyone with its username or email address here. Tick it only to link accounts whose people you know, with USERNAME_CHANGE off.',
  source: {
    version: 'WordPress 6.1.9, OpenID Connect Generic 3.10.3',
    pages: ['Authelia documentation: WordPress, OpenID Connect 1.0 integration'],
    notChecked: [],
  },
  checked: 'documentation',
});
