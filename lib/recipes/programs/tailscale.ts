import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const tailscale = recipe({
  id: 'tailscale',
  name: 'Tailscale',
  kind: 'program',
  summary: 'A private network between devices',
  questions: { address: originOf('the website of your email domain', 'https://example.org') },
  client: { ...webClient, authentication: 'not checked', pkce: 'no' },
  redirectUris: () => ['https://login.tailscale.com/a/oauth_response'],
  steps: [
    'Name the domain here: Settings → Accounts → WebFinger domains, or WEBFINGER_DOMAINS.',
    'Let the web server of the domain redirect to here, as below.',
    'In Tailscale, sign up with OIDC and your email address, then fill in the form.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: `nginx at ${address}`,
      language: 'text',
      text: `location = /.well-known/webfinger {\n    return 302 ${server.issuer}/.well-known/webfinger$is_args$args;\n}\n`,
    },
    form('Sign up with OIDC', {
      'Issuer URL': server.issuer,
      'Client ID': clientId,
      'Client secret': clientSecret,
    }),
  ],
  trap: 'Tailscale asks for WebFinger at the domain of the email address, not at this server. Everybody’s address has to be at that domain.',
  source: {
    version: 'Tailscale, documentation of 2026',
    pages: ['Tailscale documentation: Custom OIDC providers', 'Pocket ID documentation: Tailscale'],
    notChecked: [
      'How Tailscale authenticates at the token endpoint.',
      'That Tailscale follows the redirect of the web server.',
    ],
  },
  checked: 'documentation',
});
