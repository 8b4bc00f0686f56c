import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { decideOn } from '../support/devices.ts';
import { openServer } from '../support/open-server.ts';
import { followRecipe, start } from './recipe-app.ts';
import { hasGo } from './stacks/go.ts';
import { newPerson } from './visit.ts';

const server = await openServer();

/** The device of its recipe, and the code that it shows. */
async function startDevice() {
  const { folder, text } = await followRecipe(server.issuer, 'device');
  const program = start(folder, 'sh', ['-ec', text('Beside it')]);
  const lines = createInterface(program.stdout as Readable)[Symbol.asyncIterator]();
  const { value: asking = '' } = await lines.next();
  const [, page, user_code = ''] = /^Open (\S+) and type (\S+)$/.exec(asking) ?? [];
  expect(page, program.complaints()).toBe(`${server.issuer}/device`);
  return { program, lines, user_code };
}

test.skipIf(!hasGo)('the recipe for devices connects a device', { timeout: 480_000 }, async () => {
  const { user, person } = await newPerson(server);
  await person.signIn();
  const { program, lines, user_code } = await startDevice();
  expect((await decideOn(person, { user_code })).at).toBe('/device/allowed');
  const { value: connected } = await lines.next();
  expect(connected, program.complaints()).toBe(`Connected as ${user.username}`);
});

test.skipIf(!hasGo)('the recipe for devices handles a denial', { timeout: 480_000 }, async () => {
  const { person } = await newPerson(server);
  await person.signIn();
  const { program, user_code } = await startDevice();
  const ended = once(program, 'close');
  await decideOn(person, { user_code }, 'deny');
  expect((await ended)[0]).not.toBe(0);
  expect(program.complaints()).toContain('You said no. To try again, run this again.');
});
