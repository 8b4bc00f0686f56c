import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { text } from '../text.ts';

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
    'Write the file and put your own app in upstreams and a fresh secret in cookie_secret.',
    'Run: oauth2-proxy --config oauth2-proxy.cfg.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
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
        # 32 random bytes: openssl rand -base64 32 | tr -- '+/' '-_'
        cookie_secret = "REPLACE-ME"
        cookie_refresh = "1h"
        # Behind a proxy of your own that speaks https:
        reverse_proxy = true
        # Only it may say where requests come from.
        trusted_proxy_ips = ["127.0.0.1/32"]
        http_address = "127.0.0.1:4180"
      `,
    },
  ],
  trap: 'People whose email address isn’t verified here are refused (“email in id_token isn’t verified”). Verify the address, or set insecure_oidc_allow_unverified_email.',
  source: {
    version: 'oauth2-proxy 7.15.3',
    pages: [
      'OAuth2 Proxy documentation: OpenID Connect provider',
      'OAuth2 Proxy documentation: Overview of the configuration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
