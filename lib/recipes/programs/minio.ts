import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const minio = recipe({
  id: 'minio',
  name: 'MinIO',
  mark: 'minio',
  kind: 'program',
  summary: 'Object storage',
  questions: { address: siteOf('the console of MinIO', 'https://console.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/oauth_callback`],
  steps: [
    'Add the variables to MinIO’s environment and restart it.',
    'Make groups here with the names of MinIO’s policies (consoleAdmin, readwrite, readonly, diagnostics, writeonly) and put people into them.',
    'On the sign-in page, choose “Other Authentication Methods”.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    composeEnvironment('minio', {
      MINIO_BROWSER_REDIRECT_URL: address,
      MINIO_IDENTITY_OPENID_CONFIG_URL: server.discovery,
      MINIO_IDENTITY_OPENID_CLIENT_ID: clientId,
      MINIO_IDENTITY_OPENID_CLIENT_SECRET: clientSecret,
      MINIO_IDENTITY_OPENID_DISPLAY_NAME: 'Gatehouse',
      MINIO_IDENTITY_OPENID_SCOPES: 'openid,profile,email,groups',
      MINIO_IDENTITY_OPENID_CLAIM_NAME: 'groups',
      MINIO_IDENTITY_OPENID_CLAIM_USERINFO: 'on',
    }),
  ],
  trap: 'People in no group with the name of a policy are refused. The console of MinIO’s newer free editions has no sign-in by OpenID.',
  source: {
    version: 'MinIO 2025-04-22',
    pages: [
      'MinIO documentation: OpenID Identity Management Settings',
      'Authelia documentation: MinIO, OpenID Connect 1.0 integration',
      'Pocket ID documentation: MinIO',
    ],
    notChecked: [
      'Whether MinIO sends PKCE.',
      'Since which version the free console lacks the sign-in.',
    ],
  },
  checked: 'documentation',
});
