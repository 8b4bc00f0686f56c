import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { yaml } from '../text.ts';

export const traefikForwardAuth = recipe({
  id: 'traefik-forward-auth',
  name: 'traefik-forward-auth',
  kind: 'program',
  summary: 'A gate for Traefik',
  questions: { address: originOf('the app behind Traefik', 'https://app.example.org') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/_oauth`],
  steps: [
    'Add the service and its label to your compose file.',
    'Give the routers of your apps the middleware gatehouse@docker.',
    'Each app’s host needs its own redirect URI: add the others here.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, freshSecret }) => [
    {
      title: 'compose.yaml',
      ...yaml`
        services:
          forward-auth:
            image: thomseddon/traefik-forward-auth:2
            environment:
              DEFAULT_PROVIDER: oidc
              PROVIDERS_OIDC_ISSUER_URL: ${server.issuer}
              PROVIDERS_OIDC_CLIENT_ID: ${clientId}
              PROVIDERS_OIDC_CLIENT_SECRET: ${clientSecret}
              SECRET: ${freshSecret}
              INSECURE_COOKIE: ${String(address.startsWith('http:'))}
            labels:
              traefik.http.middlewares.gatehouse.forwardauth.address: http://forward-auth:4181
              traefik.http.middlewares.gatehouse.forwardauth.authResponseHeaders: X-Forwarded-User
              traefik.http.services.forward-auth.loadbalancer.server.port: '4181'
      `,
    },
  ],
  trap: 'It knows people by email address and asks for no groups: who may use it is decided here, on the app’s Access page. It is no longer developed; oauth2-proxy is.',
  source: {
    version: 'traefik-forward-auth 2.3.0',
    pages: ['traefik-forward-auth: README, and the source of its OpenID Connect provider'],
    notChecked: ['Traefik in front of it: the run asked the gate itself.'],
  },
  checked: { byHand: '22 November 2026' },
});
