import { appAddress } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { inBrowser, trapInBrowser } from '../stacks/in-browser.ts';
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
  blocks: ({ address }, filling) => [
    {
      title: 'In your project',
      ...shell`
        npm install oidc-client-ts@3
        npm install --save-dev vite@8
        npm exec vite -- --port ${new URL(address).port || '5173'} --strictPort
      `,
    },
    { title: 'gatehouse.js', ...inBrowser('javascript', filling, `${address}/`) },
    {
      title: 'main.js',
      ...javascript`
        import { onUser, signIn, signOut } from './gatehouse.js';

        document.querySelector('#sign-in').onclick = signIn;
        document.querySelector('#sign-out').onclick = signOut;
        onUser((user, note) => {
          document.querySelector('#who').textContent = user?.profile.preferred_username ?? 'Nobody';
          document.querySelector('#note').textContent = note;
        });
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
  trap: trapInBrowser,
  source: {
    version: 'oidc-client-ts 3.5.0',
    pages: ['oidc-client-ts: README and API documentation'],
    notChecked: [],
  },
  checked: 'run',
});
