import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { type FrozenProxy, openFrozenProxy } from '../../support/frozen-proxy.ts';
import { Person } from '../../support/person.ts';
import { beginChains, checkAll } from './load.ts';
import { type Part, pause, type SoakServer, startSoakServer, until } from './part.ts';

/** A way to make the database unavailable. `begin` returns a function that ends the fault. */
type Fault = { name: string; begin: () => Promise<() => Promise<void> | void> };

/**
 * The database goes silent, breaks, fills up or moves. Every request gets an ordinary answer or a
 * 503, and everything recovers.
 */
export const faults: Part = async ({ databaseUrl, goesOn }) => {
  const proxy = databaseUrl.startsWith('file:') ? null : await openFrozenProxy(databaseUrl);
  const server = await startSoakServer(proxy?.url ?? databaseUrl);
  const known = proxy ? faultsOfPostgres(proxy) : faultsOfSqlite(databaseUrl, server);
  const chains = await beginChains(server, 6);
  const figures = { faults: 0, answers: 0, unavailable: 0, slowest_ms: 0, checked: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const fault = known[round % known.length] as Fault;
    let over = false;
    const load = chains.map((chain) => chain.run([server, server], () => !over));
    const watching = watch(server, () => over);
    await pause(200);
    const end = await fault.begin();
    await pause(500 + Math.random() * 2500);
    await end();
    await until('ready', async () => (await fetch(`${server.base}/readyz`)).status === 200);
    over = true;
    await Promise.all(load);
    const seen = await watching;
    figures.faults += 1;
    figures.answers += seen.answers;
    figures.unavailable += seen.unavailable;
    figures.slowest_ms = Math.max(figures.slowest_ms, seen.slowest);
    const found = await checkAll(chains, server);
    figures.checked += found.checked;
    for (const line of [...seen.wrong, ...found.failures]) failures.push(`${fault.name}: ${line}`);
  }
  await server.serverProcess.stop();
  await proxy?.close();
  return { figures, failures };
};

const wishes = ['/oauth/me?access_token=none', '/login', '/', '/readyz', '/oauth/jwks', '/healthz'];

/**
 * Requests one address after another, and collects the answers that are wrong even while the
 * database is away.
 */
async function watch(server: SoakServer, isOver: () => boolean) {
  const seen = { answers: 0, unavailable: 0, slowest: 0, wrong: [] as string[] };
  const one = async (start: number) => {
    for (let turn = start; !isOver(); turn += 1) {
      const wish = wishes[turn % wishes.length] ?? '/';
      const before = performance.now();
      const answer = await new Person(server).request(wish).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      seen.answers += 1;
      seen.slowest = Math.max(seen.slowest, Math.round(performance.now() - before));
      if (answer?.status === 503) seen.unavailable += 1;
      else if (!answer || answer.status >= 500) seen.wrong.push(`${wish} ${answer?.status}`);
    }
  };
  await Promise.all(wishes.map((_, start) => one(start)));
  return seen;
}

function faultsOfPostgres(proxy: FrozenProxy): Fault[] {
  return [
    {
      name: 'silent',
      begin: async () => {
        proxy.freeze();
        return proxy.thaw;
      },
    },
    {
      name: 'gone',
      begin: async () => {
        await proxy.refuse();
        return proxy.accept;
      },
    },
    {
      name: 'connections lost',
      begin: async () => {
        proxy.loseConnections();
        return () => {};
      },
    },
  ];
}

function faultsOfSqlite(databaseUrl: string, server: SoakServer): Fault[] {
  const file = databaseUrl.slice('file:'.length);
  const limitFileSize = (bytes: string) =>
    execFileSync('prlimit', [
      `--pid=${server.serverProcess.process.pid}`,
      `--fsize=${bytes}:unlimited`,
    ]);
  return [
    {
      name: 'locked',
      begin: async () => {
        const other = new BetterSqlite3(file);
        other.exec('BEGIN IMMEDIATE');
        return () => void other.close();
      },
    },
    {
      name: 'full',
      begin: async () => {
        limitFileSize('4096');
        return () => void limitFileSize('unlimited');
      },
    },
    {
      name: 'moved',
      begin: async () => {
        renameSync(file, `${file}.moved`);
        return () => renameSync(`${file}.moved`, file);
      },
    },
  ];
}
