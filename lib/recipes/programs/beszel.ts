import { pocketBaseForm } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const beszel = recipe({
  id: 'beszel',
  name: 'Beszel',
  kind: 'program',
  summary: 'Server monitoring',
  questions: { address: originOf('Beszel', 'https://beszel.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/oauth2-redirect`],
  steps: [
    'Open the superuser pages of Beszel (/_/#/settings) and turn off “Hide collection create and edit controls”.',
    'Edit the collection users: Options → OAuth2 → Enable → Add provider → OpenID Connect, fill in the form and save.',
    'New people get in if the hub runs with USER_CREATION=true.',
  ],
  blocks: (_, filling) => [
    pocketBaseForm('Collection users → Options → OAuth2 → OpenID Connect', filling),
  ],
  trap: 'New people need an email address that is verified here, or Beszel says “Failed to create record”.',
  source: {
    version: 'Beszel 0.18.8 (PocketBase 0.39.11)',
    pages: [
      'Beszel documentation: OAuth',
      'PocketBase: source of its OpenID Connect provider',
      'Authelia documentation: Beszel, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Beszel',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
