import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const immich = recipe({
  id: 'immich',
  name: 'Immich',
  mark: 'immich',
  kind: 'program',
  summary: 'Photos and videos',
  questions: { address: originOf('Immich', 'https://photos.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'not checked' },
  redirectUris: ({ address }) => [
    `${address}/auth/login`,
    `${address}/user-settings`,
    // For the mobile apps.
    'app.immich:///oauth-callback',
  ],
  steps: [
    'In Immich, open Administration → Settings → Authentication Settings → OAuth.',
    'Turn on “Login with OAuth”, fill in the form and save.',
    'People with an account link it under Account Settings → OAuth.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Administration → Settings → Authentication Settings → OAuth', {
      'Issuer URL': server.discovery,
      'Client ID': clientId,
      'Client Secret': clientSecret,
      Scope: 'openid email profile',
      'Signing Algorithm': 'RS256',
      'Storage Label Claim': 'preferred_username',
      'Button Text': 'Sign in with Gatehouse',
    }),
  ],
  trap: 'Every address that people open Immich at needs its own redirect URIs. Add those of the local network here too.',
  source: {
    version: 'Immich 1.132.3',
    pages: [
      'Immich documentation: OAuth Authentication',
      'Authelia documentation: Immich, OpenID Connect 1.0 integration',
    ],
    notChecked: ['Whether Immich sends PKCE.'],
  },
  checked: 'documentation',
});
