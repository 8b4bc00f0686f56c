import { truncateSync } from 'node:fs';
import { takeBackup } from './backup.ts';
import { failuresIn } from './serve-setup.ts';
import type { Server } from './server.ts';

/**
 * Starting a server takes longer than most tests on it. So a server outlives the test file that
 * started it, and the next file in this process that needs the same kind takes it over, with its
 * database as empty as it was at first.
 */
export type Pooled = {
  databaseUrl: string;
  /**
   * All servers on this database. A test file may add some; it stops those that should not stay.
   */
  servers: Server[];
  /** The database is used by others too, so its rows stay. */
  isShared?: true;
  /** Ends whatever runs besides the servers. */
  close?: () => Promise<unknown>;
};

type Vacant = { kind: string; pooled: Pooled; empty: () => Promise<void> };

/** Keeping more of them would only waste memory. */
const room = 3;
const vacant: Vacant[] = [];
const inUse = new Map<Pooled, Vacant>();

/**
 * Returns servers of this kind that are not in use.
 * @param build starts a new one, with its own database
 */
export async function takeFromPool<One extends Pooled>(
  kind: string,
  build: () => Promise<One>,
): Promise<One> {
  endWithThisProcess();
  const index = vacant.findIndex((each) => each.kind === kind);
  const [found] = index < 0 ? [] : vacant.splice(index, 1);
  const taken = found ?? (await built(kind, build));
  for (const { logFile } of taken.pooled.servers) truncateSync(logFile);
  inUse.set(taken.pooled, taken);
  if (found) await taken.empty();
  // All of one kind are built alike.
  return taken.pooled as One;
}

async function built(kind: string, build: () => Promise<Pooled>): Promise<Vacant> {
  const pooled = await build();
  const empty = pooled.isShared ? async () => {} : await takeBackup(pooled.databaseUrl);
  return { kind, pooled, empty };
}

/** Gives servers back to the pool, and returns their log lines that report internal failures. */
export async function giveBack(pooled: Pooled): Promise<string[]> {
  const taken = inUse.get(pooled);
  inUse.delete(pooled);
  const failures = pooled.servers.flatMap(({ logFile }) => failuresIn(logFile));
  if (!taken || !pooled.servers.every(isRunning)) await tearDown(pooled);
  else if (vacant.push(taken) > room) await tearDown(vacant.shift()?.pooled);
  return failures;
}

const isRunning = ({ process: { exitCode, signalCode } }: Server) =>
  exitCode === null && signalCode === null;

async function tearDown(pooled: Pooled | undefined): Promise<void> {
  await Promise.all((pooled?.servers ?? []).map((server) => server.stop()));
  await pooled?.close?.();
}

let isWatched = false;

/**
 * This process is ended by a signal, and the servers started here would keep running without it.
 */
function endWithThisProcess(): void {
  if (isWatched) return;
  isWatched = true;
  process.once('SIGTERM', () => {
    const left = [...vacant.map(({ pooled }) => pooled), ...inUse.keys()];
    for (const { servers } of left) for (const server of servers) server.process.kill('SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  });
}
