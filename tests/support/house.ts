import { afterAll, inject } from 'vitest';
import type { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from './database.ts';
import { failuresIn } from './serve-setup.ts';
import { type MountKind, type Server, startServer } from './server.ts';
import { workOn } from './work-on.ts';

/** A running server, with the database that the test process shares with it. */
export type House = {
  mount: MountKind;
  databaseUrl: string;
  /** Where requests go. */
  base: string;
  port: number;
  /** What the server calls itself. */
  issuer: string;
  /** Where what it writes ends up, line by line. */
  logFile: string;
  /** Starts one more server on the same database, stopped when the file ends. */
  another: (env?: Record<string, string>, mount?: MountKind) => Promise<House>;
};

/**
 * The server that this test file talks to: the one its project shares or, with an environment of
 * its own, one on a fresh database. `lib/store` in the test process works on the same database:
 * a file opens one house.
 */
export async function openHouse(env?: Record<string, string>): Promise<House> {
  stopAtTheEnd();
  const shared = inject('shared');
  if (!env) return settle(shared.mount, shared.databaseUrl, shared);
  const databaseUrl = await createDatabase(databaseOf(shared.databaseUrl));
  return settle(shared.mount, databaseUrl, await startForFile(shared.mount, databaseUrl, env), env);
}

export function databaseOf(url: string): (typeof databases)[number] {
  return url.startsWith('file:') ? 'sqlite' : 'postgresql';
}

function settle(
  mount: MountKind,
  databaseUrl: string,
  server: Served,
  env: Record<string, string> = {},
): House {
  workOn(databaseUrl);
  const ISSUER = `http://localhost:${server.port}`;
  Object.assign(process.env, env, { DATABASE_URL: databaseUrl, ISSUER, LOG_LEVEL: 'silent' });
  return houseAt(mount, databaseUrl, server);
}

type Served = { port: number; logFile: string };

function houseAt(mount: MountKind, databaseUrl: string, { port, logFile }: Served): House {
  return {
    mount,
    databaseUrl,
    port,
    logFile,
    base: `http://127.0.0.1:${port}`,
    issuer: `http://localhost:${port}`,
    another: async (env = {}, otherMount = mount) =>
      houseAt(otherMount, databaseUrl, await startForFile(otherMount, databaseUrl, env)),
  };
}

const ofThisFile: { server: Server; logFile: string }[] = [];

/** Here and not where a server is started: vitest takes no hook from inside a test. */
function stopAtTheEnd(): void {
  afterAll(async () => {
    const servers = ofThisFile.splice(0);
    await Promise.all(servers.map(({ server }) => server.stop()));
    const failures = servers.flatMap(({ logFile }) => failuresIn(logFile));
    if (failures.length > 0)
      throw new Error(`A server of this file failed inside:\n${failures.join('\n')}`);
  });
}

/** A server that is stopped when the test file ends; a failure inside of it fails the file. */
async function startForFile(
  mount: MountKind,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<Served> {
  const logFile = newLogFile(`${mount}-own`);
  const server = await startServer({ mount, databaseUrl, logFile, env });
  ofThisFile.push({ server, logFile });
  return { port: server.port, logFile };
}
