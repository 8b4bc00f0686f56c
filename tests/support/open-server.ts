import { afterAll, inject } from 'vitest';
import type { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from './database.ts';
import { failuresIn } from './serve-setup.ts';
import { type MountKind, type Server, startServer } from './server.ts';
import { giveBack, type Pooled, takeFromPool } from './server-pool.ts';
import { workOn } from './work-on.ts';

/** A running server, and the database that it shares with the test process. */
export type TestServer = {
  mount: MountKind;
  databaseUrl: string;
  /** Where requests go. */
  base: string;
  port: number;
  /** The server's issuer. */
  issuer: string;
  /** The file that the server's output is written to, line by line. */
  logFile: string;
  /**
   * Another process of the same server with the same settings. It keeps running for later test
   * files.
   */
  secondProcess: () => Promise<TestServer>;
  /** Starts another server on the same database; it is stopped when the file ends. */
  another: (env?: Record<string, string>, mount?: MountKind) => Promise<TestServer>;
};

/**
 * The server that this test file talks to. That is the one its project shares or, if the file gives
 * it an environment, one on a database that no other file uses meanwhile. `lib/store` in the test
 * process works on the same database, so a file opens only one server.
 */
export async function openServer(env?: Record<string, string>): Promise<TestServer> {
  const shared = inject('shared');
  const { mount } = shared;
  if (!env) {
    const { databaseUrl } = shared;
    const beside: Pooled = { databaseUrl, servers: [], isShared: true };
    return settle(mount, await takeFromPool('shared', async () => beside), shared);
  }
  return openOwnServer(databaseOf(shared.databaseUrl), env, mount);
}

/**
 * The same for projects without a shared server: a server on a database that no other file uses
 * meanwhile.
 */
export async function openOwnServer(
  database: (typeof databases)[number],
  env: Record<string, string> = {},
  mount: MountKind = 'direct',
): Promise<TestServer> {
  const pooled = await takeFromPool(JSON.stringify([mount, database, env]), async () => {
    const databaseUrl = await createDatabase(database);
    const logFile = newLogFile(`${mount}-own`);
    return { databaseUrl, servers: [await startServer({ mount, databaseUrl, logFile, env })] };
  });
  const [first] = pooled.servers;
  if (!first) throw new Error('It was started a moment ago.');
  return settle(mount, pooled, first, env);
}

export function databaseOf(url: string): (typeof databases)[number] {
  return url.startsWith('file:') ? 'sqlite' : 'postgresql';
}

type Served = { port: number; logFile: string };

function settle(
  mount: MountKind,
  pooled: Pooled,
  server: Served,
  env: Record<string, string> = {},
): TestServer {
  leaveAtTheEnd(pooled);
  const { databaseUrl } = pooled;
  workOn(databaseUrl);
  const ISSUER = `http://localhost:${server.port}`;
  Object.assign(process.env, env, { DATABASE_URL: databaseUrl, ISSUER, LOG_LEVEL: 'silent' });
  return { ...serverAt(mount, databaseUrl, server), ...besides(mount, pooled, server, env) };
}

const serverAt = (mount: MountKind, databaseUrl: string, { port, logFile }: Served) => ({
  mount,
  databaseUrl,
  port,
  logFile,
  base: `http://127.0.0.1:${port}`,
  issuer: `http://localhost:${port}`,
});

/** Ways to start more servers beside the first one, which was given this environment. */
export function besides(
  mount: MountKind,
  pooled: Pooled,
  first: Served,
  told: Record<string, string>,
): Pick<TestServer, 'secondProcess' | 'another'> {
  const { databaseUrl, servers } = pooled;
  const start = (env: Record<string, string>, at: MountKind) =>
    startServer({ mount: at, databaseUrl, env, logFile: newLogFile(`${at}-own`) });
  const ISSUER = told.ISSUER ?? `http://localhost:${first.port}`;
  async function secondProcess(): Promise<TestServer> {
    const found = servers.find(({ port }) => port !== first.port);
    const server = found ?? (await start({ ...told, ISSUER }, mount));
    if (!found) servers.push(server);
    return { ...serverAt(mount, databaseUrl, server), issuer: ISSUER, secondProcess, another };
  }
  async function another(env: Record<string, string> = {}, at = mount): Promise<TestServer> {
    const server = await start(env, at);
    ofThisFile.push(server);
    return { ...serverAt(at, databaseUrl, server), secondProcess, another };
  }
  return { secondProcess, another };
}

const ofThisFile: Server[] = [];

/** Gives servers back and returns their log lines that report internal failures. */
export async function leave(pooled: Pooled): Promise<string[]> {
  const servers = ofThisFile.splice(0);
  await Promise.all(servers.map((server) => server.stop()));
  const failures = servers.flatMap(({ logFile }) => failuresIn(logFile));
  return [...failures, ...(await giveBack(pooled))];
}

/** This is here and not where a server is started, because vitest allows no hooks inside a test. */
function leaveAtTheEnd(pooled: Pooled): void {
  afterAll(async () => {
    const failures = await leave(pooled);
    if (failures.length > 0)
      throw new Error(`A server of this file failed inside:\n${failures.join('\n')}`);
  });
}
