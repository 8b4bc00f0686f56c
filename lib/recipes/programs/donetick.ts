import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { yaml } from '../text.ts';

export const donetick = recipe({
  id: 'donetick',
  name: 'Donetick',
  kind: 'program',
  summary: 'Chores',
  questions: { address: originOf('Donetick', 'https://chores.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/auth/oauth2`],
  steps: [
    'Put the section into config/selfhosted.yaml.',
    'Restart Donetick. The sign-in page now has a button.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'selfhosted.yaml',
      ...yaml`
        oauth2:
          name: Gatehouse
          client_id: ${clientId}
          client_secret: ${clientSecret}
          scopes: [openid, profile, email]
          auth_url: ${server.authorize}
          token_url: ${server.token}
          user_info_url: ${server.userinfo}
          redirect_url: ${redirectUri}
      `,
    },
  ],
  trap: 'Donetick’s apps for phones had no OpenID sign-in at other people’s servers (its issue 268). Use the browser there.',
  source: {
    version: 'Donetick 0.1.75',
    pages: [
      'Donetick: config/selfhosted.yaml, and the source of its OAuth2 sign-in',
      'Authelia documentation: Donetick, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Donetick',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
