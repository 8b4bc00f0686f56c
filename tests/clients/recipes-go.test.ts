import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { followRecipe, listening, start } from './recipe-app.ts';
import { AppBrowser, newPerson } from './visit.ts';

const house = await openHouse();
// In a folder of no module, so that only the library is looked for.
const found = spawnSync('go', ['list', '-m', 'golang.org/x/oauth2@v0.37.0'], { cwd: tmpdir() });
const hasGo = found.status === 0;
if (!hasGo) console.info('Go or its modules cannot be had: no test of its recipe in this run.');

// Go compiles both libraries at the first run.
test.skipIf(!hasGo)('the recipe for Go signs in', { timeout: 480_000 }, async () => {
  const { user, person } = await newPerson(house);
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text } = await followRecipe(house.issuer, 'go', { address });
  await listening(port, start(folder, 'sh', ['-ec', text('Beside it')]));
  const signedIn = await new AppBrowser().signIn(person, `${address}/login`);
  expect(await signedIn.json()).toMatchObject({ sub: user.id, email: user.email });
});
