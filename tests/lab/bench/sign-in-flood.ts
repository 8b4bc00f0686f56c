import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { closeStore } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from '../../support/database.ts';
import setUp from '../../support/global-setup.ts';
import type { TestServer } from '../../support/open-server.ts';
import { type Page, Person } from '../../support/person.ts';
import { newUser, password } from '../../support/seed.ts';
import { startServer } from '../../support/server.ts';
import { sharedEnv } from '../../support/shared-env.ts';
import { solve } from '../../support/work.ts';
import { quantile } from './statistics.ts';

/*
 * How long the right password takes while 120 wrong ones are tried at the same time: from a browser
 * that has signed in before, and from ones that have not, each at a new address and with the work
 * that its page asks for. Run with: node tests/lab/bench/sign-in-flood.ts [SECONDS]
 */
const seconds = Number(process.argv[2] ?? 40);
const connections = 120;

/** How the wrong passwords come. */
const floods = {
  '120 addresses': { addresses: 'kept', takesWork: false },
  'a new address each time': { addresses: 'new', takesWork: false },
  'a new address each time, with work that is not done': { addresses: 'new', takesWork: true },
} as const;
type Flood = (typeof floods)[keyof typeof floods];

const [, , , kind, work] = process.argv;
if (kind && work) await measure(kind as keyof typeof floods, work);
else compareAll();

/** Each in a process of its own, because a process works on one database. */
function compareAll(): void {
  console.log('| flood | work | known p50 | p95 | unknown p50 | p95 | of it work p50 | not in |');
  console.log('|---|---|---:|---:|---:|---:|---:|---:|');
  for (const flood of Object.keys(floods))
    for (const asked of ['off', 'attack'])
      spawnSync(process.execPath, [import.meta.filename, String(seconds), flood, asked], {
        stdio: 'inherit',
      });
}

async function measure(flood: keyof typeof floods, PROOF_OF_WORK: string): Promise<void> {
  const leave = await setUp();
  const databaseUrl = await createDatabase('sqlite');
  const env = { PROOF_OF_WORK, LOG_LEVEL: 'error' };
  const logFile = newLogFile('flood');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  const [DATABASE_URL, ISSUER] = [databaseUrl, server.origin];
  Object.assign(process.env, sharedEnv, env, { DATABASE_URL, ISSUER, LOG_LEVEL: 'silent' });
  const gatehouse = {
    base: `http://127.0.0.1:${server.port}`,
    issuer: server.origin,
  } as TestServer;
  const row = await measured(gatehouse, floods[flood]);
  console.log(`| ${flood} | ${PROOF_OF_WORK} | ${row} |`);
  await server.stop();
  await closeStore();
  await leave();
}

/** Milliseconds that sign-ins took; those that did not end well are not in. */
type Times = { known: number[]; unknown: number[]; work: number[]; notIn: number };

async function measured(server: TestServer, flood: Flood): Promise<string> {
  const names = await Promise.all(
    Array.from({ length: 8 }, async () => (await newUser()).username),
  );
  const known = new Person(server, names[0]);
  await known.signIn();
  const times: Times = { known: [], unknown: [], work: [], notIn: 0 };
  const until = Date.now() + seconds * 1000;
  const guessing = Array.from({ length: connections }, (_, index) =>
    guess(server, flood, index, until),
  );
  // The queue is full.
  await pause(5_000);
  await Promise.all([
    enterAgain(known, times, until),
    enterFromNewBrowsers(server, names, times, until),
    ...guessing,
  ]);
  const [p50, p95] = [0.5, 0.95].map((share) => (of: number[]) => Math.round(quantile(of, share)));
  return [
    ...[times.known, times.unknown].flatMap((of) => [p50?.(of), p95?.(of)]),
    times.work.length > 0 ? p50?.(times.work) : '-',
    `${times.notIn} of ${times.unknown.length + times.notIn}`,
  ].join(' | ');
}

/** Sends wrong passwords, one after the other, from one browser. */
async function guess(
  server: TestServer,
  flood: Flood,
  index: number,
  until: number,
): Promise<void> {
  const opener = new Person(server);
  let form = await opener.open('/login');
  for (let each = 0; Date.now() < until; each += 1) {
    const person = new Person(server, `nobody-${index}-${each}`);
    if (flood.addresses === 'kept') person.address = `198.18.0.${index}`;
    for (const [name, value] of opener.cookies) person.cookies.set(name, value);
    if (flood.takesWork && !isWorkAsked(form)) form = await opener.open('/login');
    await post(person, form, 'a wrong one');
  }
}

async function enterAgain(known: Person, times: Times, until: number): Promise<void> {
  for (known.cookies.delete('gh_session'); Date.now() < until; await pause(500)) {
    const form = await known.open('/login');
    const start = Date.now();
    if ((await post(known, form, password)) === 'in') times.known.push(Date.now() - start);
    else times.notIn += 1;
    known.cookies.delete('gh_session');
  }
}

/** One new browser every two seconds, whether or not those before have come in. */
async function enterFromNewBrowsers(
  server: TestServer,
  names: string[],
  times: Times,
  until: number,
): Promise<void> {
  const entering: Promise<void>[] = [];
  for (let each = 0; Date.now() < until; each += 1) {
    const name = names[1 + (each % (names.length - 1))];
    entering.push(enterAnew(new Person(server, name), times));
    await pause(2000);
  }
  await Promise.all(entering);
}

async function enterAnew(person: Person, times: Times): Promise<void> {
  let form = await person.open('/login');
  const start = Date.now();
  for (let tries = 0; tries < 4; tries += 1) {
    if ((await post(person, form, password, times)) === 'in')
      return void times.unknown.push(Date.now() - start);
    form = await person.open('/login');
  }
  times.notIn += 1;
}

/** Sends the form; with `times`, with the work that it asks for. */
async function post(
  person: Person,
  page: Page,
  word: string,
  times?: Times,
): Promise<'in' | 'out'> {
  const began = Date.now();
  const work = times && isWorkAsked(page) ? await solve(page, '/login/submit') : {};
  if ('proof' in work) times?.work.push(Date.now() - began);
  const fields = { username: person.username, password: word, ...work };
  const visit = { method: 'POST', ...person.postOf(page, '/login/submit', fields) };
  const response = await person.request('/login/submit', visit);
  await response.arrayBuffer();
  return response.headers.get('location') === '/account' ? 'in' : 'out';
}

function isWorkAsked({ html }: Page): boolean {
  return html.includes('data-work');
}
