import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, onlyIf, shell } from '../text.ts';

export const openidClient = recipe({
  id: 'openid-client',
  name: 'Node.js with openid-client',
  kind: 'stack',
  summary: 'Any JavaScript server',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library and write the file.',
    'Run it and open /login.',
    'Store the claims in your own session. The file only prints them.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install openid-client@6
      `,
    },
    {
      title: 'server.mjs',
      ...javascript`
        import { createServer } from 'node:http';
        import * as client from 'openid-client';

        const app = new URL(${address});
        const redirect_uri = ${redirectUri};
        const config = await client.discovery(
          new URL(${server.issuer}),
          ${clientId},
          ${clientSecret},${onlyIf(
            server.issuer.startsWith('http:'),
            '\n  undefined,\n  // Only while the issuer has no https.\n  { execute: [client.allowInsecureRequests] },',
          )}
        );

        createServer(async (request, response) => {
          const url = new URL(request.url, app);
          try {
            if (url.pathname === '/login') await signIn(response);
            else if (url.pathname === '/callback') await finish(request, response, url);
            else response.end('<a href="/login">Sign in</a>');
          } catch (error) {
            response.writeHead(400).end(error.error_description ?? error.message);
          }
        }).listen(app.port || 3000);

        async function signIn(response) {
          const verifier = client.randomPKCECodeVerifier();
          const state = client.randomState();
          const to = client.buildAuthorizationUrl(config, {
            redirect_uri,
            scope: 'openid profile email',
            state,
            code_challenge: await client.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          });
          // Bound to this browser until it comes back.
          const cookie = 'sign-in=' + verifier + '.' + state + '; Path=/callback; HttpOnly; SameSite=Lax';
          response.writeHead(302, { location: to.href, 'set-cookie': cookie }).end();
        }

        async function finish(request, response, url) {
          const [, verifier, state] = /sign-in=([\w-]+)\.([\w-]+)/.exec(request.headers.cookie) ?? [];
          const tokens = await client.authorizationCodeGrant(config, url, {
            pkceCodeVerifier: verifier,
            expectedState: state,
          });
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(tokens.claims()));
        }
      `,
    },
  ],
  trap: 'Behind a proxy, give the library the address that people see. It compares the host and path that come back with the redirect URI.',
  source: {
    version: 'openid-client 6.8.9',
    pages: ['openid-client: README and API documentation'],
    notChecked: [],
  },
  checked: 'run',
});
