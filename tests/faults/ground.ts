import { expect } from 'vitest';
import { type Answer, me, refresh, tokensOf } from '../support/app.ts';
import { newLogFile } from '../support/database.ts';
import type { TestServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { type Server, startServer } from '../support/server.ts';

/** The longest that an answer may take; a server that hangs takes for ever. */
const hang = 40_000;

/** A running server and what it has issued. */
export type Ground = Awaited<ReturnType<typeof settle>>;

const alone = () => Promise.reject(new Error('one server is enough here'));

/**
 * Starts a server, which may reach the database through another address than this process, and
 * signs a person in.
 */
export async function settle(databaseUrl: string, env: Record<string, string> = {}) {
  const logFile = newLogFile('faults');
  const serverProcess = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  const server = serverOf(serverProcess, databaseUrl, logFile);
  const person = await newPerson(server);
  const tokens = await tokensOf(server, person);
  return { serverProcess, server, person, client: tokens.client, tokens: { ...tokens } };
}

function serverOf(server: Server, databaseUrl: string, logFile: string): TestServer {
  const { port } = server;
  return {
    mount: 'direct',
    databaseUrl,
    port,
    logFile,
    base: `http://127.0.0.1:${port}`,
    issuer: `http://localhost:${port}`,
    secondProcess: alone,
    another: alone,
  };
}

/**
 * Sends every kind of request that depends on the database: with a token, for a token, for a page,
 * and for the server's health.
 */
export async function askAll(ground: Ground) {
  const { server, tokens, person } = ground;
  const outsider = new Person(server);
  const [known, refreshed, page, account, ready, alive] = await Promise.all([
    answered(() => me(server, tokens.access_token)),
    answered(() => refreshOnce(ground)),
    answered(() => outsider.request('/login')),
    answered(() => person.request('/account')),
    answered(() => fetch(`${server.base}/readyz`)),
    answered(() => fetch(`${server.base}/healthz`)),
  ]);
  return { me: known, refresh: refreshed, page, account, ready, alive };
}

/** Refreshes, and keeps the new token for the next time. */
async function refreshOnce({ server, tokens }: Ground): Promise<Answer> {
  const answer = await refresh(server, tokens.refresh_token);
  if (answer.status === 200) tokens.refresh_token = String(answer.body.refresh_token);
  return answer;
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), hang);
  });
  return Promise.race([ask(), late]).finally(() => clearTimeout(timer));
}

/** The statuses of the answers to `askAll`. */
export async function statuses(ground: Ground): Promise<Record<string, number>> {
  const answers = Object.entries(await askAll(ground));
  return Object.fromEntries(answers.map(([name, { status }]) => [name, status]));
}

export const allWell = { me: 200, refresh: 200, page: 200, account: 200, ready: 200, alive: 200 };

/** Repeats `askAll` until all is well again, without a restart. */
export async function expectRecovery(ground: Ground): Promise<void> {
  const until = Date.now() + hang;
  for (;;) {
    const found = await statuses(ground);
    if (JSON.stringify(found) === JSON.stringify(allWell)) return;
    if (Date.now() > until) expect(found).toEqual(allWell);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/**
 * Expects every answer, to programs and to people, to say that the database is away and when to try
 * again.
 */
export async function expectAway(ground: Ground): Promise<void> {
  // /readyz keeps its last result for a second.
  await expect
    .poll(async () => (await fetch(`${ground.server.base}/readyz`)).status, { timeout: hang })
    .toBe(503);
  const { me: known, refresh: refreshed, page, account, ready, alive } = await askAll(ground);
  for (const answer of [known, refreshed]) {
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const answer of [page, account]) {
    const html = await answer.text();
    expect([answer.status, html]).toEqual([503, expect.stringContaining('<h1')]);
    expect(html).not.toContain('<script');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect([ready.status, alive.status]).toEqual([503, 200]);
}
