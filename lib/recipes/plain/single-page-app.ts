import { appAddress } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { html, javascript, shell } from '../text.ts';

export const singlePageApp = recipe({
  id: 'single-page-app',
  name: 'Single-page app',
  kind: 'plain',
  summary: 'Runs in the browser, with no server of its own',
  questions: { address: appAddress('http://localhost:5173') },
  client: publicClient,
  redirectUris: ({ address }) => [`${address}/`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: ['Install the library and write the files.', 'Open the app and press “Sign in”.'],
  blocks: ({ address }, { server, clientId, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install oidc-client-ts@3
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

        // Back from signing in: the answer is in the address.
        if (new URLSearchParams(location.search).has('state')) {
          await manager.signinCallback();
          history.replaceState({}, '', '/');
        }

        const user = await manager.getUser();
        document.querySelector('#who').textContent = user ? user.profile.preferred_username : 'Nobody';
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
