import { appAddress } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { html, javascript, shell } from '../text.ts';

export const singlePageApp = recipe({
  id: 'single-page-app',
  name: 'Single-page app',
  kind: 'plain',
  summary: 'Runs in the browser, with no server of its own',
  names:
    'spa, react, vite, preact, solid, solidjs, lit, ember, browser app, javascript, oidc-client-ts, react-oidc-context, auth0-spa-js, msal-browser, keycloak-js',
  questions: { address: appAddress('http://localhost:5173') },
  client: publicClient,
  // Samples of most libraries come back to a path.
  redirectUris: ({ address }) => [`${address}/`, `${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library and Vite, which serves the files and finds packages in them, and write the files.',
    'Start Vite and open the app.',
    'For the public: npm exec vite build puts everything into dist, to be served by any web server.',
  ],
  blocks: ({ address }, { server, clientId, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install oidc-client-ts@3
        npm install --save-dev vite@8
        npm exec vite -- --port ${new URL(address).port || '5173'} --strictPort
      `,
    },
    {
      title: 'main.js',
      ...javascript`
        import { UserManager } from 'oidc-client-ts';

        const manager = new UserManager({
          authority: ${server.issuer},
          client_id: ${clientId},
          redirect_uri: ${redirectUri},
          post_logout_redirect_uri: ${`${address}/`},
          scope: 'openid profile email offline_access',
        });

        let note = '';

        // Back from signing in: the answer is in the address.
        if (new URLSearchParams(location.search).has('state')) {
          try {
            await manager.signinCallback();
          } catch (error) {
            note = error.error === 'access_denied' ? 'You said no. Try again.' : error.message;
          }
          history.replaceState({}, '', '/');
        }

        // While the page is open, the library renews the access token by itself.
        manager.events.addSilentRenewError(notRenewed);
        const found = await manager.getUser();
        if (found?.expired) await manager.signinSilent().catch(notRenewed);
        await show();

        /** Only the server’s word ends a sign-in. Whatever else goes wrong, a reload tries again. */
        async function notRenewed(error) {
          note = 'That didn’t work. Reload the page in a minute.';
          if (error.error === 'invalid_grant') {
            note = 'Your sign-in has ended. Sign in again.';
            await manager.removeUser();
          }
          await show();
        }

        async function show() {
          const user = await manager.getUser();
          document.querySelector('#note').textContent = note;
          document.querySelector('#who').textContent =
            user && !user.expired ? user.profile.preferred_username : 'Nobody';
        }

        document.querySelector('#sign-in').onclick = () => manager.signinRedirect();
        document.querySelector('#sign-out').onclick = () => manager.signoutRedirect();
      `,
    },
    {
      title: 'index.html',
      ...html`
        <!doctype html>
        <html lang="en">
        <title>My app</title>
        <p id="who"></p>
        <p id="note" role="status"></p>
        <button id="sign-in">Sign in</button>
        <button id="sign-out">Sign out</button>
        <script type="module" src="/main.js"></script>
        </html>
      `,
    },
  ],
  trap: 'On localhost, people are asked for consent every time, because any program on the machine could pose as the app. With https they’re asked once.',
  source: {
    version: 'oidc-client-ts 3.5.0',
    pages: ['oidc-client-ts: README and API documentation'],
    notChecked: [],
  },
  checked: 'run',
});
