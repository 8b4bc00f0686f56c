import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { closeStore } from '#lib/store/engine/database.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { createDatabase } from '#lib/tooling/postgres.ts';
import { newClient } from '../../../support/seed.ts';
import { type Server, startServer } from '../../../support/server.ts';
import { workOn } from '../../../support/work-on.ts';
import type { Outcome } from '../part.ts';
import { type Violation, violationsIn } from './checker.ts';
import { Door, longestAnswer } from './client.ts';
import { type Fault, faults, stepOf } from './faults.ts';
import { History } from './history.ts';
import { Machine, machines, startHaproxy, untilPrimary, untilWhole } from './machines.ts';
import { layNetwork, withChildren } from './network.ts';
import { askAbout, askAround, Someone, type World } from './people.ts';

// Runs in its own network, process namespace and file systems, which end with it; `cluster.ts`
// starts it. Reads a line of its input before each round, and ends when the input does. Its last
// line is the outcome.

const { folder, programs, rate, patience } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    programs: { type: 'string', default: '' },
    rate: { type: 'string', default: '1000' },
    patience: { type: 'string', default: '1' },
  },
}).values;

/**
 * The HAProxy beside the first server. The next port is for the second server; `spare` is for this
 * process.
 */
const port = 5000;
const spare = port + 9;
const issuer = 'http://localhost:4711';
const clockFile = `${folder}/clock`;
/** The people, who write, and the askers, who ask about what people hold. */
const [people, askers] = [24, 24];
/**
 * Ten of each of the four workers, two more for each that `given-up.ts` leaves for reading, and ten
 * of this process.
 */
const mostConnections = 4 * (10 + 2) + 10;
/**
 * How long a refresh token gives the same answer again (`replayWindow`), and how much a clock step
 * changes that.
 */
const terms = { grace: 30_000, skew: stepOf + 1000 };

async function startCluster(all: Machine[]): Promise<void> {
  chmodSync(folder, 0o755);
  mkdirSync('/run/haproxy', { recursive: true });
  layNetwork(machines.length);
  all.push(...machines.map((each) => new Machine(each, folder, programs)));
  for (const machine of all) machine.start();
  await untilWhole();
}

/** Each server reaches the cluster through its own HAProxy. */
async function startServers(): Promise<Server[]> {
  writeFileSync(clockFile, '0');
  return Promise.all(
    [0, 1].map(async (which) => {
      startHaproxy(folder, port + which);
      await untilLeads(port + which);
      const clock = `--import ${new URL('../../../support/clock.mjs', import.meta.url).pathname}`;
      const server = await startServer({
        mount: 'direct',
        databaseUrl: addressAt(port + which, 'gatehouse')('gatehouse'),
        logFile: `${folder}/server-${which}.log`,
        env: {
          WORKERS: '2',
          ISSUER: issuer,
          LOG_LEVEL: 'warn',
          CODE_TTL: '600',
          ...(which === 1 ? { NODE_OPTIONS: clock, TEST_CLOCK_FILE: clockFile } : {}),
        },
      });
      while (processesOf(server).length < 3) await pause(100);
      return server;
    }),
  );
}

const addressAt = (at: number, user: string) => (name: string) =>
  `postgresql://${user}:of-the-soak@127.0.0.1:${at}/${name}`;
const urlAt = (at: number) => addressAt(at, 'postgres');

/** Creates a database whose owner has no other rights. */
async function makeDatabase(): Promise<string> {
  await createDatabase(urlAt(spare), 'gatehouse');
  const client = new pg.Client(urlAt(spare)('postgres'));
  await client.connect();
  await client.query("CREATE ROLE gatehouse LOGIN PASSWORD 'of-the-soak'");
  await client.query('ALTER DATABASE gatehouse OWNER TO gatehouse');
  await client.end();
  const databaseUrl = addressAt(spare, 'gatehouse')('gatehouse');
  await applyMigrations(databaseUrl);
  return databaseUrl;
}

/**
 * The number of connections of the servers, as the primary counts them; 0 while there is no
 * primary.
 */
async function countConnections(): Promise<number> {
  const client = new pg.Client({
    connectionString: urlAt(spare)('postgres'),
    connectionTimeoutMillis: 1000,
    query_timeout: 1000,
  });
  client.on('error', () => {});
  const sql = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'gatehouse'";
  const found = await client
    .connect()
    .then(() => client.query<{ count: number }>(sql))
    .catch(() => null);
  await client.end().catch(() => {});
  return found?.rows[0]?.count ?? 0;
}

/** At first, HAProxy takes every machine for the primary, until it has asked each one twice. */
async function untilLeads(at: number): Promise<void> {
  const standby = 'SELECT pg_is_in_recovery() AS is';
  for (let [tries, led] = [0, 0]; led < 20; tries += 1) {
    if (tries > 600) throw new Error(`There is no primary behind port ${at}.`);
    const client = new pg.Client(urlAt(at)('postgres'));
    const found = await client
      .connect()
      .then(() => client.query<{ is: boolean }>(standby))
      .catch(() => null);
    led = found?.rows[0]?.is === false ? led + 1 : 0;
    await client.end().catch(() => {});
    await pause(100);
  }
}

async function watch(look: () => Promise<void>, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    await look();
    await pause(500);
  }
}

/** Limits all callers together to this many requests per second. */
function pace(perSecond: number): () => Promise<void> {
  let next = performance.now();
  return async () => {
    next = Math.max(next + 1000 / perSecond, performance.now() - 100);
    await pause(Math.max(0, next - performance.now()));
  };
}

/** The first process of a server, and its workers. */
const processesOf = ({ process: { pid = 0 } }: Server): number[] => withChildren(pid);

/** Causes one fault. Returns how long no writes were acknowledged. */
async function befall(fault: Fault, world: World, all: readonly Machine[]) {
  await untilWhole();
  await pause(1500);
  const number = await untilPrimary();
  const primary = all[number - 1] as Machine;
  let since = performance.now();
  const takeBack = await fault.begin({ primary, clockFile });
  if (fault.lasts) {
    await pause(fault.lasts);
    since = performance.now();
    takeBack();
  }
  const back = () => world.doors.every((_, which) => (world.written[which] ?? 0) > since);
  while (!back() && performance.now() - since < 120_000) await pause(10);
  const took = performance.now() - since;
  if (!fault.lasts) {
    // A primary that comes back has to learn that it no longer is one.
    await pause(2000);
    takeBack();
  }
  return took;
}

const median = (all: readonly number[]) =>
  [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;

const told = ({ wrong, operation, because }: Violation) =>
  `${wrong}: ${JSON.stringify(operation)}, though ${because}`;

async function run(all: Machine[]): Promise<Outcome> {
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
  await startCluster(all);
  startHaproxy(folder, spare);
  await untilLeads(spare);
  const databaseUrl = await makeDatabase();
  workOn(databaseUrl);
  const servers = await startServers();
  const serving = servers.map((server) => processesOf(server).join(' '));
  let goesOn = true;
  const world: World = {
    doors: servers.map((server) => new Door(server)),
    issuer,
    history: new History(),
    live: [],
    over: [],
    odd: new Set(),
    written: [],
    goesOn: () => goesOn,
    turn: pace(Number(rate)),
  };
  const failures: string[] = [];
  const stranger = await newClient();
  const crowd: Someone[] = [];
  for (let each = 0; each < people; each += 1) crowd.push(await Someone.make(world));
  const begun = performance.now();
  const living = [
    ...crowd.map((someone) => someone.live()),
    ...Array.from({ length: askers }, () => askAround(world, stranger)),
  ];
  let most = 0;
  const watching = watch(async () => {
    most = Math.max(most, await countConnections());
  }, world.goesOn);
  const counts = { kills: 0, partitions: 0, pauses: 0, steps: 0 };
  const away = new Map<string, number[]>();
  for (let round = 0; ; round += 1) {
    const { done, value } = await lines.next();
    if (done || value === 'end') break;
    const fault = faults[round % faults.length] as Fault;
    const took = await befall(fault, world, all).catch((error: unknown) => {
      failures.push(`${fault.name}: ${(error as Error).stack}`, ...logsOf(all));
      return null;
    });
    // What was seen until then is still judged.
    if (took === null) break;
    counts[fault.counts] += 1;
    away.set(fault.name, [...(away.get(fault.name) ?? []), took]);
    if (took > fault.within * Number(patience))
      failures.push(`${fault.name}: writes were back after ${Math.round(took)} ms`);
    console.error(
      `${new Date().toISOString()} ${fault.name}: writes back after ${Math.round(took)} ms`,
    );
    console.log('round');
  }
  await untilWhole().catch((error: Error) => failures.push(error.message));
  goesOn = false;
  await Promise.all([...living, watching]);
  const seconds = (performance.now() - begun) / 1000;
  // Both servers are asked once more about everything that ended.
  for (const held of world.over)
    for (let which = 0; which < 2; which += 1) await askAbout(world, held, stranger);
  const { operations } = world.history;
  failures.push(...violationsIn(operations, terms).map(told), ...world.odd);
  for (const [which, server] of servers.entries()) {
    const now = processesOf(server).join(' ');
    if (server.process.exitCode !== null || now !== serving[which])
      failures.push(`server ${which + 1} was started again: ${serving[which]}, now ${now}`);
  }
  if (most > mostConnections) failures.push(`the servers had ${most} connections`);
  const slowest = Math.max(...world.doors.map((door) => door.slowest));
  if (slowest >= longestAnswer) failures.push(`an answer took ${Math.round(slowest)} ms`);
  await Promise.all(servers.map((server) => server.stop()));
  await closeStore();
  const rows = [...away].map(([name, times]) => [
    `s until writes were back after a ${name} (median; ${times.length} times, worst ${tenths(Math.max(...times))})`,
    tenths(median(times)),
  ]);
  const of = (outcome: string) => operations.filter((each) => each.outcome === outcome).length;
  const figures = {
    ...counts,
    requests: operations.length,
    requests_a_second: Math.round(operations.length / seconds),
    acknowledged: of('done'),
    refused: of('refused'),
    unknown: of('unknown'),
    things_that_ended: world.over.length,
    connections_at_most: most,
    slowest_answer_ms: Math.round(slowest),
    ...Object.fromEntries(rows),
  };
  return { figures, failures };
}

const logsOf = (all: readonly Machine[]) => all.map((machine) => machine.logs());

const tenths = (milliseconds: number) => Math.round(milliseconds / 100) / 10;

const all: Machine[] = [];
const outcome = await run(all).catch((error: unknown) => ({
  figures: {},
  failures: [(error as Error).stack ?? String(error), ...logsOf(all)],
}));
// All of it, before the first process of this world ends.
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));
