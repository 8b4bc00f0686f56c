import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from './database.ts';
import prepareGround from './global-setup.ts';
import { nextFailures } from './next-differences.ts';
import { havePgbouncer, startPgbouncer } from './pgbouncer.ts';
import { restoredDatabase } from './restored.ts';
import { type MountKind, startServer } from './server.ts';
import { shake } from './shaken.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all test files of a project share. */
    shared: { mount: MountKind; databaseUrl: string; port: number; logFile: string };
  }
}

/**
 * Starts the server that the endpoint tests of a project share. The project's name says which kind,
 * such as `next-postgresql`.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const leaveGround = await prepareGround();
  const mount: MountKind = project.name.startsWith('next') ? 'next' : 'direct';
  const database = databases.find((kind) => project.name.includes(kind)) ?? 'sqlite';
  const databaseUrl = isRestored(project)
    ? await restoredDatabase(database)
    : await createDatabase(database, isolationOf(project));
  const logFile = newLogFile(project.name);
  const pooler =
    isPooled(project) && (await havePgbouncer()) ? await behindPgbouncer(databaseUrl) : null;
  const shaken = project.name.startsWith('shaken') ? await shake(databaseUrl) : null;
  const own = pooler?.url ?? shaken?.url ?? databaseUrl;
  const server = await startServer({ mount, databaseUrl: own, logFile });
  project.provide('shared', { mount, databaseUrl, port: server.port, logFile });
  return async () => {
    await server.stop();
    await pooler?.stop();
    await shaken?.stop();
    const failures = failuresIn(logFile);
    await leaveGround();
    if (failures.length > 0)
      throw new Error(`The server of ${project.name} failed inside:\n${failures.join('\n')}`);
  };
}

const isolationOf = ({ name }: TestProject) => /^serializable/.exec(name)?.[0];

const isPooled = ({ name }: TestProject) => name.startsWith('pooled');

/**
 * Allows fewer connections than the server asks for, and uses another one after every transaction.
 */
const behindPgbouncer = (databaseUrl: string) =>
  startPgbouncer(databaseUrl, [
    'pool_mode = transaction',
    'default_pool_size = 5',
    'server_round_robin = 1',
  ]);

/**
 * TEST_RESTORED=on: all endpoint tests run on databases that were restored from backups of the
 * other kind.
 */
const isRestored = ({ name }: TestProject) =>
  name.startsWith('restored') || process.env.TEST_RESTORED === 'on';

/** Lines of a server's log that report an internal failure. No request may cause one. */
export function failuresIn(logFile: string): string[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /^\{"level":(50|60)|^\s*(⨯|[A-Z]\w*Error)/.test(line))
    .filter((line) => !nextFailures.some((known) => line.includes(known)));
}
