import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { text } from '../text.ts';

/** The address that signs people out of this server and sends them back. */
const signOut = (endpoint: string, client_id: string, address: string) =>
  `${endpoint}?${new URLSearchParams({ client_id, post_logout_redirect_uri: `${address}/` })}`;

export const oauth2Proxy = recipe({
  id: 'oauth2-proxy',
  name: 'oauth2-proxy',
  appName: '',
  kind: 'program',
  summary: 'A gate in front of any web app',
  questions: { address: originOf('the app behind oauth2-proxy', 'https://app.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oauth2/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Write the file and put your own app in upstreams.',
    'Run: oauth2-proxy --config oauth2-proxy.cfg.',
    'Put the address for signing out into a link of your app. It leads out of oauth2-proxy, then out of Gatehouse, which asks once more.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri, freshSecret }) => [
    {
      title: 'oauth2-proxy.cfg',
      ...text`
        provider = "oidc"
        provider_display_name = "Gatehouse"
        oidc_issuer_url = "${server.issuer}"
        client_id = "${clientId}"
        client_secret = "${clientSecret}"
        redirect_url = "${redirectUri}"
        scope = "openid profile email groups"
        code_challenge_method = "S256"
        email_domains = ["*"]
        # Only for people in one of these groups here:
        # allowed_groups = ["editors"]
        # Your app:
        upstreams = ["http://127.0.0.1:8080"]
        # 32 random bytes:
        cookie_secret = "${freshSecret}"
        cookie_refresh = "1h"
        # Where signing out may lead to:
        whitelist_domains = ["${new URL(server.issuer).host}"]
        # Behind a proxy of your own that speaks https:
        reverse_proxy = true
        # Only it may say where requests come from.
        trusted_proxy_ips = ["127.0.0.1/32"]
        http_address = "127.0.0.1:4180"
      `,
    },
    form('A link of your app', {
      'Sign out': `/oauth2/sign_out?rd=${encodeURIComponent(signOut(server.logout, clientId, address))}`,
    }),
  ],
  trap: 'People whose email address isn’t verified here are refused (“email in id_token isn’t verified”). Verify the address, or set insecure_oidc_allow_unverified_email.',
  source: {
    version: 'oauth2-proxy 7.15.6',
    pages: [
      'OAuth2 Proxy documentation: OpenID Connect provider',
      'OAuth2 Proxy documentation: Overview of the configuration',
      'OAuth2 Proxy documentation: Endpoints, Sign out',
    ],
    notChecked: [],
  },
  checked: 'run',
});
