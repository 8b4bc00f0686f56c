import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const vaultwarden = recipe({
  id: 'vaultwarden',
  name: 'Vaultwarden',
  mark: 'vaultwarden',
  kind: 'program',
  summary: 'Passwords, for Bitwarden apps',
  questions: { address: siteOf('Vaultwarden', 'https://vault.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/identity/connect/oidc-signin`],
  steps: [
    'Add the variables to Vaultwarden’s environment.',
    'Restart it. On the sign-in page, choose “Use single sign-on”. Any identifier works.',
    'Keep your master password: it still opens the vault.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('vaultwarden', {
      DOMAIN: address,
      SSO_ENABLED: 'true',
      SSO_AUTHORITY: server.issuer,
      SSO_CLIENT_ID: clientId,
      SSO_CLIENT_SECRET: clientSecret,
      SSO_SCOPES: 'email profile offline_access',
      SSO_PKCE: 'true',
      SSO_SIGNUPS_MATCH_EMAIL: 'true',
    }),
  ],
  trap: 'Vaultwarden refuses people whose email address isn’t verified here. Verify it before they sign in.',
  source: {
    version: 'Vaultwarden, the SSO branch of 2025.5.1',
    pages: [
      'Authelia documentation: Vaultwarden, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Vaultwarden',
      'Vaultwarden: .env.template',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
