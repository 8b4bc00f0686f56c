import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, startPostgres } from '#lib/tooling/postgres.ts';
import { startOauth2Proxy } from './guards.ts';
import { drive, type Result } from './load.ts';
import { describeMachine, readMachine } from './machine.ts';
import { startPeer } from './peers.ts';
import { type Row, report } from './report.ts';
import { signInEachSecond } from './sign-ins.ts';
import {
  fill,
  makeTables,
  type Options,
  type Running,
  startFloor,
  startGatehouse,
} from './targets.ts';
import { type Workload, workloads } from './workloads.ts';

/*
 * Compares servers in one run: each alone on core 0, this load generator on core 1, rounds
 * interleaved, medians of the rounds. `npm run bench` compares with the floor, `npm run
 * bench:peers` with other servers too, and `npm run bench -- --growth` a full database with an
 * empty one (`--filled URL` names one that is already full). `npm run bench -- --workers` compares
 * two processes with one, both on all cores, beside the load. `npm run bench -- --before
 * CHECKOUT,…` compares this version with others, each built in its own checkout.
 */
const { values } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    fsync: { type: 'boolean', default: false },
    only: { type: 'string', default: 'me,refresh,flow,introspect,mixed' },
    servers: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    'warm-up': { type: 'string', default: '4' },
    growth: { type: 'boolean', default: false },
    workers: { type: 'boolean', default: false },
    before: { type: 'string', default: '' },
    authorizations: { type: 'string', default: '10000000' },
    filled: { type: 'string', default: '' },
  },
});
// Interrupting this run also stops its servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const connections = Number(values.connections);
const folder = mkdtempSync(`${tmpdir()}/gatehouse-bench-`);
const postgres =
  values.postgres && !values.filled ? await startPostgres({ durable: values.fsync }) : null;
let databases = 0;
const before = readMachine(folder);

type Starter = { name: string; start: () => Promise<Running> };

const starters: Starter[] = [
  { name: 'gatehouse', start: async () => startGatehouse('direct', await options()) },
  { name: 'floor', start: async () => startFloor(await options()) },
];
if (values.peers) {
  starters.push({ name: 'next', start: async () => startGatehouse('next', await options()) });
  for (const name of postgres
    ? ['oidc-provider-postgres']
    : ['oidc-provider-memory', 'oidc-provider-sqlite', 'oauth2-server-sqlite']) {
    starters.push({ name, start: async () => startPeer(name, await options()) });
  }
}
if (values.servers.includes('oauth2-proxy'))
  starters.push({ name: 'oauth2-proxy', start: async () => startOauth2Proxy(await options()) });

if (values.growth) {
  starters.length = 0;
  for (const count of [10_000, Number(values.authorizations)]) {
    starters.push({ name: 'gatehouse', start: async () => startFilled(count) });
  }
  if (values.filled) starters.splice(1, 1, { name: 'gatehouse', start: startInFilled });
}

if (values.workers) {
  starters.length = 0;
  for (const workers of ['2', '1'])
    starters.push({ name: 'gatehouse', start: async () => startWorkers(workers) });
}

if (values.before) {
  starters.splice(1);
  for (const root of values.before.split(',')) {
    starters.push({ name: 'gatehouse', start: async () => startBefore(resolve(root)) });
  }
}

async function startBefore(root: string): Promise<Running> {
  const running = await startGatehouse('direct', await options(root));
  running.target.name = `Gatehouse in ${basename(root)}`;
  return running;
}

async function startWorkers(workers: string): Promise<Running> {
  const running = await startGatehouse('direct', {
    ...(await options()),
    env: { WORKERS: workers },
    cores: '0,1',
  });
  running.target.name = `Gatehouse, WORKERS=${workers}`;
  return running;
}

async function startFilled(authorizations: number): Promise<Running> {
  const filled = await options();
  fill(filled, authorizations);
  const running = await startGatehouse('direct', filled);
  running.target.name = `Gatehouse among ${authorizations.toLocaleString('en')} authorizations`;
  return running;
}

/** Starts Gatehouse in a database that tests/lab/bench/fill.ts has filled before. */
async function startInFilled(): Promise<Running> {
  const running = await startGatehouse('direct', {
    ...(await options()),
    databaseUrl: values.filled,
  });
  running.target.name = 'Gatehouse in the database that was filled';
  return running;
}

try {
  const chosen = values.servers
    ? starters.filter(({ name }) => values.servers.split(',').includes(name))
    : starters;
  const wanted = values.only.split(',').map((name) => workloads[name as keyof typeof workloads]);
  console.log(
    report(await measure(chosen, wanted), {
      connections,
      database: values.postgres
        ? `PostgreSQL ${values.fsync ? 'with' : 'without'} fsync`
        : 'SQLite',
      cores: values.workers
        ? 'server and load on the same two cores'
        : 'one core for the server, one for the load',
      cpu: cpus()[0]?.model ?? '',
    }),
  );
  console.log(`\n${describeMachine(before, readMachine(folder))}`);
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
}

/**
 * All servers run at the same time; idle ones cost nothing. In each round every server has its
 * turn. Two rounds before the first are a warm-up, in both orders.
 */
async function measure(servers: Starter[], wanted: Workload[]): Promise<Row[]> {
  const running: Running[] = [];
  for (const server of servers) running.push(await server.start());
  const rows: Row[] = [];
  for (const workload of wanted) {
    const able = running.filter(({ target }) => workload.isFor?.(target) ?? true);
    for (let round = -1; round <= Number(values.rounds); round += 1) {
      // The order changes, so that a slow moment of the machine does not always hit the same
      // server.
      for (const server of turned(able, round)) {
        const taken = await measureOnce(server, workload, round);
        if (round > 0) rows.push(...taken);
      }
    }
  }
  for (const { stop } of running) await stop();
  const place = ({ server }: Row) =>
    running.findIndex(({ target: { name } }) => server === name || server.startsWith(`${name}, `));
  return rows.sort((a, b) => place(a) - place(b));
}

function turned<T>(list: T[], by: number): T[] {
  const at = (by + list.length) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

async function measureOnce(server: Running, workload: Workload, round: number): Promise<Row[]> {
  const { target, username, process: child } = server;
  const row = { workload: workload.name, title: workload.title, round };
  const rows: Row[] = [
    { ...row, server: target.name, result: await once(server, workload, round) },
  ];
  if (workload.name === 'mixed' && username) {
    const signIns = await signInEachSecond(target.port, username, child.pid ?? 0);
    rows.push({
      ...row,
      server: `${target.name}, one sign-in a second`,
      result: await once(server, workload, round),
    });
    await signIns.stop();
  }
  for (const { server: name, result } of rows) {
    process.stderr.write(
      `${round > 0 ? `round ${round}` : 'warm-up'} ${name} ${workload.name}: ${Math.round(result.perSecond)}/s p99 ${result.p99.toFixed(1)} ms, ${Math.round(result.cpu)} µs${result.failures ? ` ${result.failures} FAILED: ${result.failure}` : ''}\n`,
    );
  }
  return rows;
}

function once(
  { target, process: { pid = 0 } }: Running,
  workload: Workload,
  round: number,
): Promise<Result> {
  const measureMs = Number(values.seconds) * 1000;
  return drive({
    port: target.port,
    connections,
    warmUpMs: round > 0 ? measureMs / 10 : Number(values['warm-up']) * 500,
    measureMs,
    script: workload.script(target),
    pid,
  });
}

/** A new database, so that no server finds another one's rows. */
async function options(root?: string): Promise<Options> {
  databases += 1;
  const name = `bench_${databases}_${Date.now()}`;
  const databaseUrl = values.filled
    ? await createDatabase((database) => new URL(database, values.filled).href, name)
    : ((await postgres?.createDatabase(name)) ?? `file:${folder}/${name}.db`);
  const fresh = { databaseUrl, connections, root };
  makeTables(fresh);
  return fresh;
}
