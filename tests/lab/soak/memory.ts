import { newPerson } from '../../support/person.ts';
import { prepareGround } from './ground.ts';
import { type Held, holdPosts, slowBodies, unfinishedPosts, uploads } from './held-memory.ts';

/*
 * How much memory outsiders can make a server hold, and whether it is released: run `node
 * tests/lab/soak/memory.ts` in a built checkout.
 */
const { serverProcess, server, leave } = await prepareGround('sqlite');
const person = await newPerson(server);
const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const say = ({ what, before, most, after }: Held) =>
  console.log(`${what}: ${before} MiB before, at most ${most}, ${after} after`);
// Memory that the first pages need is never released.
for (const path of ['/', '/login', '/nowhere', '/account/profile']) await person.open(path);
say(await holdPosts(serverProcess, '500 slow bodies', slowBodies(500)));
say(
  await holdPosts(serverProcess, '28 uploads of 8 MB', uploads(28, cookie, serverProcess.origin)),
);
say(await holdPosts(serverProcess, '200 unfinished posts', unfinishedPosts(200)));
await leave();
