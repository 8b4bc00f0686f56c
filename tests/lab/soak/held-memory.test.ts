import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../support/person.ts';
import { type Ground, prepareGround } from './ground.ts';
import { type Held, holdPosts, slowBodies, unfinishedPosts, uploads } from './held-memory.ts';

let ground: Ground;
let cookie = '';
beforeAll(async () => {
  ground = await prepareGround('sqlite');
  const person = await newPerson(ground.server);
  for (const path of ['/', '/login', '/nowhere', '/account/profile']) await person.open(path);
  cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(() => ground.leave());

const brief = { holdMs: 2500, restMs: 500 };
/** In MiB. Before request bodies were limited, each of these took several hundred. */
const bearable = 200;
const grown = ({ before, most }: Held) => most - before;

test('200 unfinished posts of 9 MB to pages are not kept', async () => {
  const held = await holdPosts(ground.serverProcess, 'posts', unfinishedPosts(200), brief);
  expect(grown(held)).toBeLessThan(bearable);
});

test('28 uploads of 8 MB at once are not kept', async () => {
  const posts = uploads(28, cookie, ground.serverProcess.origin);
  expect(grown(await holdPosts(ground.serverProcess, 'uploads', posts, brief))).toBeLessThan(
    bearable,
  );
});

test('500 slow bodies take no more than their bytes', async () => {
  const held = await holdPosts(ground.serverProcess, 'slow bodies', slowBodies(500), brief);
  expect(grown(held)).toBeLessThan(bearable);
});
