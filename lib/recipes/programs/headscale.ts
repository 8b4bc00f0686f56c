import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { yaml } from '../text.ts';

export const headscale = recipe({
  id: 'headscale',
  name: 'Headscale',
  kind: 'program',
  summary: 'Private network for Tailscale apps',
  questions: { address: originOf('Headscale', 'https://headscale.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oidc/callback`],
  steps: [
    'Put the section into config.yaml and restart Headscale.',
    'Sign in from a device: tailscale up --login-server followed by its address.',
    'To let in some people only, take the last two lines in and name groups of this server.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'config.yaml',
      ...yaml`
        oidc:
          issuer: ${server.issuer}
          client_id: ${clientId}
          client_secret: ${clientSecret}
          scope: [openid, profile, email, groups]
          pkce:
            enabled: true
            method: S256
          # allowed_groups:
          #   - headscale-users
      `,
    },
  ],
  trap: 'Headscale takes an email address only if it is verified here, unless email_verified_required is false. By default it does not start without this server.',
  source: {
    version: 'Headscale 0.29.2',
    pages: [
      'Headscale documentation: OpenID Connect',
      'Headscale: config-example.yaml',
      'Authelia documentation: Headscale, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
