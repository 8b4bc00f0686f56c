import BetterSqlite3 from 'better-sqlite3';
import type { Postgres } from '#lib/tooling/postgres.ts';
import { beginChains, checkAll } from './load.ts';
import { killHard, type Part, pause, startSoakServer, until } from './part.ts';

const clients = 8;
const shortWhile = () => pause(150 + Math.random() * 400);

/**
 * `kill -9` of the server under load. After the restart, everything acknowledged is still there and
 * everything revoked is not.
 */
export const kill: Part = async ({ databaseUrl, goesOn }) => {
  let server = await startSoakServer(databaseUrl);
  const { port } = server;
  const chains = await beginChains(server, clients);
  const figures = { kills: 0, checked: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const load = chains.map((chain) => chain.run([server], () => true));
    await shortWhile();
    await killHard(server);
    await Promise.all(load);
    figures.kills += 1;
    server = await startSoakServer(databaseUrl, port);
    const found = await checkAll(chains, server);
    figures.checked += found.checked;
    failures.push(...found.failures, ...integrityFaults(databaseUrl));
  }
  await server.serverProcess.stop();
  return { figures, failures };
};

function integrityFaults(databaseUrl: string): string[] {
  if (!databaseUrl.startsWith('file:')) return [];
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length), { readonly: true });
  const faults = [db.pragma('integrity_check', { simple: true })].filter((said) => said !== 'ok');
  const orphans = db.pragma('foreign_key_check') as unknown[];
  db.close();
  return [...faults.map(String), ...orphans.map((row) => JSON.stringify(row))];
}

/**
 * `kill -9` of one of two servers on one database. The other immediately knows everything and goes
 * on.
 */
export const killOne: Part = async ({ databaseUrl, goesOn }) => {
  const servers = [await startSoakServer(databaseUrl), await startSoakServer(databaseUrl)] as const;
  const [survivor] = servers;
  let victim = servers[1];
  const chains = await beginChains(survivor, clients);
  const figures = { kills: 0, checked: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    let over = false;
    const load = chains.map((chain) => chain.run([survivor, victim], () => !over));
    await shortWhile();
    await killHard(victim);
    over = true;
    await Promise.all(load);
    figures.kills += 1;
    const found = await checkAll(chains, survivor);
    figures.checked += found.checked;
    failures.push(...found.failures, ...integrityFaults(databaseUrl));
    victim = await startSoakServer(databaseUrl);
  }
  await Promise.all([survivor, victim].map(({ serverProcess }) => serverProcess.stop()));
  return { figures, failures };
};

/**
 * `kill -9` of PostgreSQL, the postmaster and all its children, under a server that keeps running.
 */
export const killPostgres =
  (postgres: Postgres): Part =>
  async ({ databaseUrl, goesOn }) => {
    const server = await startSoakServer(databaseUrl);
    const chains = await beginChains(server, clients);
    const figures = { kills: 0, checked: 0, slowest_recovery_ms: 0 };
    const failures: string[] = [];
    for (let round = 0; goesOn(round); round += 1) {
      let over = false;
      const load = chains.map((chain) => chain.run([server], () => !over));
      await shortWhile();
      const crashed = postgres.crash();
      over = true;
      await Promise.all(load);
      await crashed;
      const before = performance.now();
      await until('ready', async () => (await fetch(`${server.base}/readyz`)).status === 200);
      const took = Math.round(performance.now() - before);
      figures.kills += 1;
      figures.slowest_recovery_ms = Math.max(figures.slowest_recovery_ms, took);
      const found = await checkAll(chains, server);
      figures.checked += found.checked;
      failures.push(...found.failures);
    }
    await server.serverProcess.stop();
    return { figures, failures };
  };
