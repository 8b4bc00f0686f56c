import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { html, javascript, joined, shell } from '../text.ts';
import { insecureOption, keepingTokens } from './node-tokens.ts';

export const sveltekit = recipe({
  id: 'sveltekit',
  name: 'SvelteKit',
  mark: 'svelte',
  kind: 'stack',
  summary: 'Svelte on a server',
  names: 'svelte, svelte 5, svelte kit, lucia',
  questions: { address: appAddress('http://localhost:5173') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'In a SvelteKit project, install the library and write the files.',
    'Start it and open the app.',
    'On the server, locals.user says who is signed in; key your accounts on its claims.sub. accessTokenOf(user) is a live access token.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install openid-client@6
        npm run dev -- --port ${new URL(address).port || '5173'} --strictPort
      `,
    },
    {
      title: 'src/hooks.server.js',
      ...joined(
        '\n',
        javascript`
          import { randomUUID } from 'node:crypto';
          import { isRedirect, redirect } from '@sveltejs/kit';
          import * as client from 'openid-client';

          const home = ${`${address}/`};
          const redirect_uri = ${redirectUri};
          const config = await client.discovery(
            new URL(${server.issuer}),
            ${clientId},
            ${clientSecret},${insecureOption(server.issuer)}
          );

          // Who is signed in, by a cookie. In memory: a database keeps them through a restart.
          const users = new Map();
          const pages = { '/login': signIn, '/callback': finish, '/me': me, '/logout': signOut };

          export async function handle({ event, resolve }) {
            try {
              const page = pages[event.url.pathname];
              if (page) return await page(event);
              event.locals.user = await userOf(event);
              return await resolve(event);
            } catch (error) {
              if (isRedirect(error)) throw error;
              if (isOver(error)) users.delete(event.cookies.get('user'));
              return answer(...said(error));
            }
          }

          function answer(status, words) {
            const headers = { 'content-type': 'text/html; charset=utf-8' };
            return new Response(words, { status, headers });
          }

          /** Who is signed in, here and at Gatehouse still: the renewal of a token finds out. */
          async function userOf({ cookies }) {
            const user = users.get(cookies.get('user'));
            if (user) await accessTokenOf(user);
            return user;
          }

          async function signIn({ cookies }) {
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
            cookies.set('sign-in', verifier + '.' + state, { path: '/callback' });
            redirect(303, to, { external: true });
          }

          async function finish({ cookies, url }) {
            if (url.searchParams.get('error') === 'access_denied')
              return answer(200, 'You said no. <a href="/login">Try again</a>');
            const [verifier, state] = (cookies.get('sign-in') ?? '').split('.');
            if (!state || url.searchParams.get('state') !== state)
              return answer(400, 'This browser didn’t start that. <a href="/login">Sign in</a>');
            // With the address that people see, also behind a proxy.
            const tokens = await client.authorizationCodeGrant(config, new URL(redirect_uri + url.search), {
              pkceCodeVerifier: verifier,
              expectedState: state,
            });
            const id = randomUUID();
            users.set(id, kept(tokens));
            cookies.set('user', id, { path: '/' });
            redirect(303, '/');
          }

          /** What this server says of the person now. */
          async function me(event) {
            const user = await userOf(event);
            if (!user) redirect(303, '/login');
            const token = await accessTokenOf(user);
            return Response.json(await client.fetchUserInfo(config, token, user.claims.sub));
          }

          /** Out of this app, then out of Gatehouse. */
          function signOut({ cookies, request }) {
            const user = users.get(cookies.get('user'));
            // Pages of other sites come without the cookie.
            if (request.method !== 'POST' || !user) redirect(303, '/');
            users.delete(cookies.get('user'));
            cookies.delete('user', { path: '/' });
            const to = client.buildEndSessionUrl(config, {
              id_token_hint: user.idToken,
              post_logout_redirect_uri: home,
            });
            redirect(303, to, { external: true });
          }
        `,
        keepingTokens,
      ),
    },
    {
      title: 'src/routes/+page.server.js',
      ...javascript`
        export const load = ({ locals }) => ({ username: locals.user?.claims.preferred_username });
      `,
    },
    {
      title: 'src/routes/+page.svelte',
      ...html`
        <script>
          const { data } = $props();
        </script>

        {#if data.username}
          <p>Signed in as {data.username}</p>
          <form method="post" action="/logout"><button>Sign out</button></form>
        {:else}
          <a href="/login" data-sveltekit-reload>Sign in</a>
        {/if}
      `,
    },
  ],
  trap: 'Without a server (adapter-static) nobody keeps the secret: then use the recipe “Single-page app”, whose gatehouse.js works in Svelte as it is.',
  source: {
    version: 'SvelteKit 3.2.0, Svelte 5.57.3, openid-client 6.8.9',
    pages: ['SvelteKit documentation: Hooks', 'openid-client: API documentation'],
    notChecked: [],
  },
  checked: 'run',
});
