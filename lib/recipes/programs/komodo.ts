import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const komodo = recipe({
  id: 'komodo',
  name: 'Komodo',
  kind: 'program',
  summary: 'Builds and deployments',
  questions: { address: originOf('Komodo', 'https://komodo.example.org') },
  client: { ...webClient, authentication: 'not checked', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/auth/oidc/callback`],
  steps: [
    'Add the variables to the environment of Komodo Core.',
    'Restart Komodo. The sign-in page now has a button.',
    'New people wait, disabled, until an admin of Komodo enables them.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('core', {
      KOMODO_HOST: address,
      KOMODO_OIDC_ENABLED: 'true',
      KOMODO_OIDC_PROVIDER: server.issuer,
      KOMODO_OIDC_CLIENT_ID: clientId,
      KOMODO_OIDC_CLIENT_SECRET: clientSecret,
    }),
  ],
  trap: 'Komodo builds the redirect URI from KOMODO_HOST. KOMODO_OIDC_PROVIDER is the issuer, to the last letter.',
  source: {
    version: 'Komodo 2.3.2',
    pages: [
      'Komodo: config/core.config.toml',
      'Komodo documentation: Advanced Configuration, OIDC / OAuth2',
      'Authelia documentation: Komodo, OpenID Connect 1.0 integration',
    ],
    notChecked: [
      'Whether Komodo sends PKCE: the guide for version 1.17 says so.',
      'How it authenticates at the token endpoint.',
    ],
  },
  checked: 'documentation',
});
