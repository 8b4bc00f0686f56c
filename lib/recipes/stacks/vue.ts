import { appAddress } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { html, shell } from '../text.ts';
import { inBrowser, trapInBrowser } from './in-browser.ts';

export const vue = recipe({
  id: 'vue',
  name: 'Vue',
  kind: 'stack',
  summary: 'Runs in the browser',
  names: 'vuejs, vue 3, vite, pinia, quasar, spa, single page app',
  questions: { address: appAddress('http://localhost:5173') },
  client: publicClient,
  redirectUris: ({ address }) => [`${address}/`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'In a Vue project with Vite, install the library and write the files.',
    'Start it and open the app.',
    'user.access_token is what your API gets. For Nuxt, which has a server, take a library from “Any library”.',
  ],
  blocks: ({ address }, filling) => [
    {
      title: 'In your project',
      ...shell`
        npm install oidc-client-ts@3
        npm run dev -- --port ${new URL(address).port || '5173'} --strictPort
      `,
    },
    { title: 'src/gatehouse.js', ...inBrowser('javascript', filling, `${address}/`) },
    {
      title: 'src/App.vue',
      ...html`
        <script setup>
        import { ref, shallowRef } from 'vue';
        import { onUser, signIn, signOut } from './gatehouse.js';

        const user = shallowRef(null);
        const note = ref('');
        onUser((who, words) => {
          user.value = who;
          note.value = words;
        });
        </script>

        <template>
          <p id="who">{{ user?.profile.preferred_username ?? 'Nobody' }}</p>
          <p id="note" role="status">{{ note }}</p>
          <button v-if="user" @click="signOut">Sign out</button>
          <button v-else @click="signIn">Sign in</button>
        </template>
      `,
    },
  ],
  trap: trapInBrowser,
  source: {
    version: 'Vue 3.5.45, oidc-client-ts 3.5.0',
    pages: ['oidc-client-ts: README and API documentation', 'Vue documentation: Reactivity API'],
    notChecked: [],
  },
  checked: 'run',
});
