import { symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { folderFromNpm } from '../npm-packages.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

const peers = ['@sveltejs/vite-plugin-svelte@7.3.1', 'svelte@5.57.3'];
const kit = await folderFromNpm('@sveltejs/kit', '3.2.0', peers);
const vite = resolve(import.meta.dirname, '../../../node_modules/vite/bin/vite.js');

/** What a new project of SvelteKit has besides the recipe's files. */
const project = {
  'package.json': '{ "type": "module" }',
  'vite.config.js':
    "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n",
  'src/app.html':
    '<!doctype html><html><head>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>\n',
};

async function startKit(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, clientId } = await followRecipe(issuer, 'sveltekit', { address });
  for (const [file, text] of Object.entries(project)) write(folder, file, text);
  symlinkSync(resolve(kit ?? '', '../..'), resolve(folder, 'node_modules'));
  const args = [vite, 'dev', '--port', String(port), '--strictPort'];
  await listening(port, start(folder, process.execPath, args, { NODE_ENV: 'development' }));
  return { address, clientId };
}

export const sveltekit: Stack = { start: kit ? startKit : null, asks: '/me' };
