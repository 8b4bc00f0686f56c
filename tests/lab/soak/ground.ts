import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { closeStore } from '#lib/store/engine/database.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';
import type { TestServer } from '../../support/open-server.ts';
import { type Server, startServer } from '../../support/server.ts';
import { workOn } from '../../support/work-on.ts';

/** A server on its own new database, which this process works on too. */
export type Ground = {
  serverProcess: Server;
  server: TestServer;
  logFile: string;
  leave: () => Promise<void>;
};

/** Prepares a database and starts a server on it. */
export async function prepareGround(
  kind: DatabaseKind,
  env: Record<string, string> = {},
): Promise<Ground> {
  const folder = mkdtempSync(`${tmpdir()}/gatehouse-soak-`);
  const postgres = kind === 'postgresql' ? await startPostgres() : null;
  const databaseUrl = postgres
    ? await postgres.createDatabase('soak')
    : `file:${folder}/gatehouse.db`;
  await applyMigrations(databaseUrl);
  const logFile = `${folder}/server.log`;
  const serverProcess = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  workOn(databaseUrl);
  const ISSUER = serverProcess.origin;
  Object.assign(process.env, env, { DATABASE_URL: databaseUrl, ISSUER, LOG_LEVEL: 'silent' });
  const leave = async () => {
    await serverProcess.stop();
    await closeStore();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { serverProcess, server: serverOf(serverProcess, databaseUrl), logFile, leave };
}

const alone = () => Promise.reject(new Error('There is one server here.'));

/** A server in the form that the tests' `Person` needs. */
export function serverOf(server: Server, databaseUrl: string): TestServer {
  return {
    mount: 'direct',
    databaseUrl,
    base: `http://127.0.0.1:${server.port}`,
    port: server.port,
    logFile: server.logFile,
    issuer: server.origin,
    secondProcess: alone,
    another: alone,
  };
}

/** The resident memory of a process, in MiB (Linux). */
export function residentOf({ process: { pid } }: Server): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
