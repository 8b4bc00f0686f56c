import { setTimeout as pause } from 'node:timers/promises';
import { tokensOf } from '../../support/app.ts';
import { newPerson } from '../../support/person.ts';
import { newClient } from '../../support/seed.ts';
import { drive, get } from '../bench/load.ts';
import { newActors } from './fuzz-requests.ts';
import { type Ground, residentOf } from './ground.ts';
import { holdPosts, slowBodies, unfinishedPosts } from './held-memory.ts';

/**
 * MiB at the end of ordinary use, at rest after it, at the end of a storm, and at rest after that.
 */
type AfterStorm = { use: number; before: number; storm: number; after: number };

/** A server at rest after a storm may hold this many times what it held before. */
export const mostAfterStorm = 1.4;
/** How long a server may take to release memory that it does not need, in milliseconds. */
const patience = 60_000;
/**
 * Once a server holds less than this many times what it held before, the measurement ends early.
 */
const little = 1.1;

/**
 * Measures a server's memory before and after a storm: overload, bodies that never end, hostile
 * requests.
 * @param hostile sends the hostile requests
 */
export async function measureStorm(
  ground: Ground,
  hostile: () => Promise<unknown>,
): Promise<AfterStorm> {
  const token = await ordinaryUse(ground);
  const use = residentOf(ground.serverProcess);
  const before = await atRest(ground, 40_000);
  await overload(ground, token);
  await holdPosts(ground.serverProcess, 'slow bodies', slowBodies(200), {
    holdMs: 1000,
    restMs: 0,
  });
  await holdPosts(ground.serverProcess, 'posts', unfinishedPosts(50), { holdMs: 1000, restMs: 0 });
  await hostile();
  const end = residentOf(ground.serverProcess);
  return { use, before, storm: end, after: await atRest(ground, patience, before * little) };
}

/** Everybody opens each page that they can reach, and an app asks for user information. */
async function ordinaryUse(ground: Ground): Promise<string> {
  await newActors(ground);
  const tokens = await tokensOf(ground.server, await newPerson(ground.server), await newClient());
  await ask(ground, tokens.access_token, 8, 3000);
  return tokens.access_token;
}

/** Apps on 250 connections at once, then people on 100. */
async function overload(ground: Ground, token: string): Promise<void> {
  await ask(ground, token, 250, 8000);
  const pages = ['/login', '/', '/nowhere', '/docs'].map((path) =>
    get(path, { Accept: 'text/html' }),
  );
  let turn = 0;
  const script = () => ({ next: () => pages[turn++ % pages.length] ?? '' });
  await drive({ ...loadOn(ground), connections: 100, measureMs: 5000, script });
}

async function ask(ground: Ground, token: string, connections: number, measureMs: number) {
  const request = get('/oauth/me', { Authorization: `Bearer ${token}` });
  await drive({
    ...loadOn(ground),
    connections,
    measureMs,
    script: () => ({ next: () => request }),
  });
}

const loadOn = ({ serverProcess }: Ground) => ({
  port: serverProcess.port,
  pid: serverProcess.process.pid ?? 0,
  warmUpMs: 0,
});

/** The least memory that the server holds within this many milliseconds without requests. */
async function atRest(
  { serverProcess }: Ground,
  milliseconds: number,
  enough = 0,
): Promise<number> {
  let least = residentOf(serverProcess);
  for (const end = Date.now() + milliseconds; Date.now() < end && least > enough; ) {
    await pause(1000);
    least = Math.min(least, residentOf(serverProcess));
  }
  return least;
}
