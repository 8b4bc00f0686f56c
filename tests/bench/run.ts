import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { applyMigrations } from '#lib/setup/migrate.ts';
import { startPostgres } from '#lib/setup/postgres.ts';
import { drive, type Result } from './load.ts';
import { startPeer } from './peers.ts';
import { type Row, report } from './report.ts';
import { signInEachSecond } from './sign-ins.ts';
import { type Options, type Running, startFloor, startGatehouse } from './targets.ts';
import { type Workload, workloads } from './workloads.ts';

/*
 * Compares servers in one run: each alone on core 0, this load generator on core 1, rounds
 * interleaved, medians of the rounds. `npm run bench` compares with the floor, `npm run
 * bench:peers` with other servers too.
 */
const { values } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    only: { type: 'string', default: 'me,refresh,flow,introspect' },
    servers: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
  },
});
// Whoever ends this run ends its servers too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const connections = Number(values.connections);
const folder = mkdtempSync(`${tmpdir()}/gatehouse-bench-`);
const postgres = values.postgres ? await startPostgres() : null;
let databases = 0;

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

try {
  const chosen = values.servers ? starters.filter(({ name }) => values.servers.split(',').includes(name)) : starters;
  const wanted = values.only.split(',').map((name) => workloads[name as keyof typeof workloads]);
  console.log(
    report(await measure(chosen, wanted), {
      connections,
      database: postgres ? 'PostgreSQL' : 'SQLite',
      cpu: cpus()[0]?.model ?? '',
    }),
  );
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
}

async function measure(servers: Starter[], wanted: Workload[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const server of servers) {
      const running = await server.start();
      for (const workload of wanted) {
        if (workload.name === 'introspect' && !running.target.paths.introspect) continue;
        const result = await once(running, workload);
        rows.push({ server: running.target.name, workload: workload.name, title: workload.title, result });
        if (workload.name === 'mixed' && running.username) {
          const signIns = await signInEachSecond(running.target.port, running.username, running.process.pid ?? 0);
          const busy = await once(running, workload);
          process.stderr.write(`${await signIns.stop()} sign-ins meanwhile\n`);
          rows.push({
            server: `${running.target.name}, one sign-in a second`,
            workload: workload.name,
            title: workload.title,
            result: busy,
          });
        }
        process.stderr.write(
          `round ${round + 1} ${running.target.name} ${workload.name}: ${Math.round(result.perSecond)}/s p99 ${result.p99.toFixed(1)} ms, ${Math.round(result.cpu)} µs${result.failures ? ` ${result.failures} FAILED` : ''}\n`,
        );
      }
      await running.stop();
    }
  }
  return rows;
}

function once({ target, process: { pid = 0 } }: Running, workload: Workload): Promise<Result> {
  return drive({
    port: target.port,
    connections,
    warmUpMs: 1500,
    measureMs: Number(values.seconds) * 1000,
    script: workload.script(target),
    pid,
  });
}

/** A fresh database, so that no server finds another one's rows. */
async function options(): Promise<Options> {
  databases += 1;
  const databaseUrl = postgres ? await postgres.createDatabase(`bench_${databases}`) : `file:${folder}/bench-${databases}.db`;
  await applyMigrations(databaseUrl);
  return { databaseUrl, connections };
}
