import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, joined, shell } from '../text.ts';
import { insecureOption, keepingTokens } from './node-tokens.ts';

export const openidClient = recipe({
  id: 'openid-client',
  name: 'Node.js with openid-client',
  mark: 'nodedotjs',
  kind: 'stack',
  summary: 'Any JavaScript server',
  names:
    'node, nodejs, fastify, hono, koa, nestjs, bun, deno, remix, react router, astro, h3, node backend',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library and write the file.',
    'Run it (node server.mjs) and open the app’s address.',
    'Key your accounts on claims.sub. accessTokenOf(user) is a live access token.',
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
      ...joined(
        '\n',
        javascript`
          import { randomUUID } from 'node:crypto';
          import { createServer } from 'node:http';
          import * as client from 'openid-client';

          const app = new URL(${address});
          const redirect_uri = ${redirectUri};
          const config = await client.discovery(
            new URL(${server.issuer}),
            ${clientId},
            ${clientSecret},${insecureOption(server.issuer)}
          );

          // Who is signed in, by a cookie. In memory: a database keeps them through a restart.
          const users = new Map();
          const pages = {
            '/login': signIn,
            '/callback': finish,
            '/me': me,
            '/logout': signOut,
          };

          createServer(async (request, response) => {
            const url = new URL(request.url, app);
            response.setHeader('content-type', 'text/html; charset=utf-8');
            try {
              await (pages[url.pathname] ?? home)(request, response, url);
            } catch (error) {
              if (isOver(error)) users.delete(cookieOf(request, 'user'));
              const [status, words] = said(error);
              response.writeHead(status).end(words);
            }
          }).listen(app.port || 3000);

          /** Who is signed in, here and at Gatehouse still: the renewal of a token finds out. */
          async function userOf(request) {
            const user = users.get(cookieOf(request, 'user'));
            if (user) await accessTokenOf(user);
            return user;
          }

          async function home(request, response) {
            const user = await userOf(request);
            if (!user) return response.end('<a href="/login">Sign in</a>');
            response.end(
              '<p>Signed in as ' + user.claims.preferred_username + '</p>' +
                '<form method="post" action="/logout"><button>Sign out</button></form>',
            );
          }

          async function signIn(_, response) {
            const verifier = client.randomPKCECodeVerifier();
            const state = client.randomState();
            const to = client.buildAuthorizationUrl(config, {
              redirect_uri,
              scope: 'openid profile email offline_access',
              state,
              code_challenge: await client.calculatePKCECodeChallenge(verifier),
              code_challenge_method: 'S256',
            });
            // Bound to this browser until it comes back.
            redirect(response, to, 'sign-in=' + verifier + '.' + state + '; Path=/callback');
          }

          async function finish(request, response, url) {
            if (url.searchParams.get('error') === 'access_denied')
              return response.end('You said no. <a href="/login">Try again</a>');
            const [verifier, state] = cookieOf(request, 'sign-in').split('.');
            if (!state || url.searchParams.get('state') !== state) {
              response.statusCode = 400;
              return response.end('This browser didn’t start that. <a href="/login">Sign in</a>');
            }
            const tokens = await client.authorizationCodeGrant(config, url, {
              pkceCodeVerifier: verifier,
              expectedState: state,
            });
            const id = randomUUID();
            users.set(id, kept(tokens));
            redirect(response, app, 'user=' + id + '; Path=/');
          }

          /** What this server says of the person now. */
          async function me(request, response) {
            const user = await userOf(request);
            if (!user) return redirect(response, new URL('/login', app));
            const token = await accessTokenOf(user);
            const info = await client.fetchUserInfo(config, token, user.claims.sub);
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify(info));
          }

          /** Out of this app, then out of Gatehouse. */
          function signOut(request, response) {
            const id = cookieOf(request, 'user');
            // A page of another site posts without the cookie, and ends nothing.
            if (request.method !== 'POST' || !users.has(id)) return home(request, response);
            const to = client.buildEndSessionUrl(config, {
              id_token_hint: users.get(id).idToken,
              post_logout_redirect_uri: app.href,
            });
            users.delete(id);
            redirect(response, to, 'user=; Path=/; Max-Age=0');
          }

          function cookieOf(request, name) {
            const cookies = (request.headers.cookie ?? '').split('; ');
            return cookies.find((each) => each.startsWith(name + '='))?.slice(name.length + 1) ?? '';
          }

          function redirect(response, to, cookie) {
            const secure = app.protocol === 'https:' ? '; Secure' : '';
            if (cookie) response.setHeader('set-cookie', cookie + '; HttpOnly; SameSite=Lax' + secure);
            response.writeHead(303, { location: to.href }).end();
          }
        `,
        keepingTokens,
      ),
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
