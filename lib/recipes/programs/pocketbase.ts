import { pocketBaseForm } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const pocketBase = recipe({
  id: 'pocketbase',
  name: 'PocketBase',
  mark: 'pocketbase',
  kind: 'program',
  summary: 'Back end for apps of your own',
  questions: { address: originOf('PocketBase', 'https://base.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/oauth2-redirect`],
  steps: [
    'Open the superuser pages of PocketBase (/_/) and edit the collection of your people: Options → OAuth2 → Enable → Add provider → OpenID Connect.',
    'Fill in the form and save.',
    'In your app, call authWithOAuth2({ provider: "oidc" }).',
  ],
  blocks: (_, filling) => [
    pocketBaseForm('Collection → Options → OAuth2 → OpenID Connect', filling),
  ],
  trap: 'PocketBase fills in the email address only if it is verified here. It asks for openid, email and profile; an app that wants groups passes scopes to authWithOAuth2 and reads meta.rawUser.',
  source: {
    version: 'PocketBase 0.36.8',
    pages: [
      'PocketBase documentation: Authentication, OAuth2',
      'PocketBase: source of its OpenID Connect provider',
      'Authelia documentation: PocketBase, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: { byHand: '22 November 2026' },
});
