import { afterAll, inject } from 'vitest';
import type { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from './database.ts';
import { type Lodging, moveIn, moveOut } from './lodging.ts';
import { failuresIn } from './serve-setup.ts';
import { type MountKind, type Server, startServer } from './server.ts';
import { workOn } from './work-on.ts';

/** A running server, and the database that it shares with the test process. */
export type House = {
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
  twin: () => Promise<House>;
  /** Starts another server on the same database; it is stopped when the file ends. */
  another: (env?: Record<string, string>, mount?: MountKind) => Promise<House>;
};

/**
 * The server that this test file talks to. That is the one its project shares or, if the file gives
 * it an environment, one on a database that no other file uses meanwhile. `lib/store` in the test
 * process works on the same database, so a file opens only one house.
 */
export async function openHouse(env?: Record<string, string>): Promise<House> {
  const shared = inject('shared');
  const { mount } = shared;
  if (!env) {
    const { databaseUrl } = shared;
    const beside: Lodging = { databaseUrl, servers: [], isShared: true };
    return settle(mount, await moveIn('shared', async () => beside), shared);
  }
  return openOwnHouse(databaseOf(shared.databaseUrl), env, mount);
}

/**
 * The same for projects without a shared server: a server on a database that no other file uses
 * meanwhile.
 */
export async function openOwnHouse(
  database: (typeof databases)[number],
  env: Record<string, string> = {},
  mount: MountKind = 'direct',
): Promise<House> {
  const lodging = await moveIn(JSON.stringify([mount, database, env]), async () => {
    const databaseUrl = await createDatabase(database);
    const logFile = newLogFile(`${mount}-own`);
    return { databaseUrl, servers: [await startServer({ mount, databaseUrl, logFile, env })] };
  });
  const [first] = lodging.servers;
  if (!first) throw new Error('It was started a moment ago.');
  return settle(mount, lodging, first, env);
}

export function databaseOf(url: string): (typeof databases)[number] {
  return url.startsWith('file:') ? 'sqlite' : 'postgresql';
}

type Served = { port: number; logFile: string };

function settle(
  mount: MountKind,
  lodging: Lodging,
  server: Served,
  env: Record<string, string> = {},
): House {
  leaveAtTheEnd(lodging);
  const { databaseUrl } = lodging;
  workOn(databaseUrl);
  const ISSUER = `http://localhost:${server.port}`;
  Object.assign(process.env, env, { DATABASE_URL: databaseUrl, ISSUER, LOG_LEVEL: 'silent' });
  return { ...houseAt(mount, databaseUrl, server), ...besides(mount, lodging, server, env) };
}

const houseAt = (mount: MountKind, databaseUrl: string, { port, logFile }: Served) => ({
  ...{ mount, databaseUrl, port, logFile },
  base: `http://127.0.0.1:${port}`,
  issuer: `http://localhost:${port}`,
});

/** Ways to start more servers beside the first one of a house, which was given this environment. */
export function besides(
  mount: MountKind,
  lodging: Lodging,
  first: Served,
  told: Record<string, string>,
): Pick<House, 'twin' | 'another'> {
  const { databaseUrl, servers } = lodging;
  const start = (env: Record<string, string>, at: MountKind) =>
    startServer({ mount: at, databaseUrl, env, logFile: newLogFile(`${at}-own`) });
  const ISSUER = told.ISSUER ?? `http://localhost:${first.port}`;
  async function twin(): Promise<House> {
    const found = servers.find(({ port }) => port !== first.port);
    const server = found ?? (await start({ ...told, ISSUER }, mount));
    if (!found) servers.push(server);
    return { ...houseAt(mount, databaseUrl, server), issuer: ISSUER, twin, another };
  }
  async function another(env: Record<string, string> = {}, at = mount): Promise<House> {
    const server = await start(env, at);
    ofThisFile.push(server);
    return { ...houseAt(at, databaseUrl, server), twin, another };
  }
  return { twin, another };
}

const ofThisFile: Server[] = [];

/** Leaves a house and returns the log lines of its servers that report internal failures. */
export async function leave(lodging: Lodging): Promise<string[]> {
  const servers = ofThisFile.splice(0);
  await Promise.all(servers.map((server) => server.stop()));
  const failures = servers.flatMap(({ logFile }) => failuresIn(logFile));
  return [...failures, ...(await moveOut(lodging))];
}

/** This is here and not where a server is started, because vitest allows no hooks inside a test. */
function leaveAtTheEnd(lodging: Lodging): void {
  afterAll(async () => {
    const failures = await leave(lodging);
    if (failures.length > 0)
      throw new Error(`A server of this file failed inside:\n${failures.join('\n')}`);
  });
}
