import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { freePort } from '../../support/free-port.ts';
import { missing } from '../../support/missing.ts';
import { followRecipe, listening, start } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

// In a folder outside any module, so that only the library is looked for.
const found = spawnSync('go', ['list', '-m', 'golang.org/x/oauth2@v0.37.0'], { cwd: tmpdir() });

/** Whether Go and its modules can be had. */
export const hasGo = found.status === 0;
if (!hasGo) missing('Go and its modules', 'apt-get install golang-go');

async function startGo(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'go', { address });
  // Go compiles both libraries on the first run.
  await listening(port, start(folder, 'sh', ['-ec', text('Beside it')]));
  return { address, clientId };
}

export const golang: Stack = { start: hasGo ? startGo : null, asks: '/me' };
