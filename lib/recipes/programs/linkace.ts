import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const linkAce = recipe({
  id: 'linkace',
  name: 'LinkAce',
  kind: 'program',
  summary: 'Bookmark archive',
  questions: { address: originOf('LinkAce', 'https://links.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/auth/sso/oidc/callback`],
  steps: [
    'Add the variables to LinkAce’s environment.',
    'Restart LinkAce. The sign-in page now has a button.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('app', {
      APP_URL: address,
      SSO_ENABLED: 'true',
      SSO_OIDC_ENABLED: 'true',
      SSO_OIDC_BASE_URL: server.issuer,
      SSO_OIDC_CLIENT_ID: clientId,
      SSO_OIDC_CLIENT_SECRET: clientSecret,
      SSO_OIDC_SCOPES: 'openid profile email',
    }),
  ],
  trap: 'SSO_OIDC_BASE_URL is the issuer: LinkAce appends /.well-known/openid-configuration itself.',
  source: {
    version: 'LinkAce 2.4.2',
    pages: [
      'Authelia documentation: LinkAce, OpenID Connect 1.0 integration',
      'Pocket ID documentation: LinkAce',
    ],
    notChecked: [
      'Whether LinkAce sends PKCE.',
      'LinkAce’s own documentation, which we could not read.',
    ],
  },
  checked: 'documentation',
});
