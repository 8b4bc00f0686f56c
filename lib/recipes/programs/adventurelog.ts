import { form } from '../blocks.ts';
import { originOf, providerName } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { literal } from '../text.ts';

export const adventureLog = recipe({
  id: 'adventurelog',
  name: 'AdventureLog',
  kind: 'program',
  summary: 'Travel diary',
  questions: {
    address: originOf('the server of AdventureLog', 'https://api.adventures.example.org'),
    provider: providerName('Provider ID in AdventureLog'),
  },
  client: { ...webClient, authentication: 'basic', pkce: 'no' },
  redirectUris: ({ address, provider }) => [`${address}/accounts/oidc/${provider}/login/callback/`],
  steps: [
    'In AdventureLog, open Settings → Administration Settings, launch the admin panel and choose Social Accounts → Social applications → Add.',
    'Fill in the form and move the site example.com to the chosen ones.',
    'People with an account connect it under Settings → Launch Account Connections.',
  ],
  blocks: ({ provider }, { server, clientId, clientSecret }) => [
    form('Social applications → Add', {
      Provider: 'OpenID Connect',
      'Provider ID': provider,
      Name: 'Gatehouse',
      'Client ID': clientId,
      'Secret Key': clientSecret,
      Settings: `{"server_url":${literal('json', server.issuer)}}`,
    }),
  ],
  trap: 'The address is that of the server (PUBLIC_URL of the backend), not of the website, if the two differ. The Provider ID and the trailing slash are part of the redirect URI.',
  source: {
    version: 'AdventureLog 0.13.0',
    pages: [
      'AdventureLog documentation: OIDC Social Authentication; Pocket ID OIDC Authentication',
      'AdventureLog: source of its list of providers',
      'Authelia documentation: AdventureLog, OpenID Connect 1.0 integration',
    ],
    notChecked: [
      'Version 0.9 wanted the client ID as the Provider ID (its issue 544); this one takes any by its source.',
    ],
  },
  checked: 'documentation',
});
