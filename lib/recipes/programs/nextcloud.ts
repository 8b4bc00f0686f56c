import { form } from '../blocks.ts';
import { providerName, siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const nextcloud = recipe({
  id: 'nextcloud',
  name: 'Nextcloud',
  mark: 'nextcloud',
  kind: 'program',
  summary: 'Files, calendars and contacts',
  questions: {
    address: siteOf('Nextcloud', 'https://cloud.example.org'),
    provider: providerName('Identifier of the provider in Nextcloud'),
  },
  client: { ...webClient, pkce: 'by default' },
  // The second one is for a Nextcloud without pretty URLs.
  redirectUris: ({ address }) => [
    `${address}/apps/user_oidc/code`,
    `${address}/index.php/apps/user_oidc/code`,
  ],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'In Nextcloud, install the app “OpenID Connect user backend” (user_oidc).',
    'Open Administration settings → OpenID Connect and add a provider, or run the command instead.',
    'Sign out. The sign-in page now has a link “Login with”.',
    'Groups of this server whose name begins with nextcloud- appear in Nextcloud with their people. All others are left alone there.',
  ],
  blocks: ({ provider }, { server, clientId, clientSecret }) => [
    form('Administration settings → OpenID Connect → Registered Providers', {
      Identifier: provider,
      'Client ID': clientId,
      'Client secret': clientSecret,
      'Discovery endpoint': server.discovery,
      Scope: 'openid email profile groups',
      'Groups mapping': 'groups',
      'Use group provisioning': 'ticked',
      'Group whitelist regex': '/^nextcloud-/',
    }),
    {
      title: 'Or on the command line, as the user that runs Nextcloud',
      ...shell`
        php occ user_oidc:provider ${provider} \
          --clientid=${clientId} \
          --clientsecret=${clientSecret} \
          --discoveryuri=${server.discovery} \
          --scope='openid email profile groups' \
          --mapping-groups=groups \
          --group-provisioning=1 \
          --group-whitelist-regex='/^nextcloud-/'
      `,
    },
  ],
  trap: 'Nextcloud’s user_oidc makes its own user ids, a hash of provider and person: to reach accounts that exist already, turn that off (“Use unique user ID”) and map the user ID to preferred_username before the first sign-in.',
  source: {
    version: 'Nextcloud 31.0.5 with user_oidc 8.0.0',
    pages: [
      'user_oidc: README, and its source for the address after signing out',
      'Authelia documentation: Nextcloud, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
