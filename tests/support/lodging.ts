import { truncateSync } from 'node:fs';
import { takeBackup } from './backup.ts';
import { failuresIn } from './serve-setup.ts';
import type { Server } from './server.ts';

/**
 * Starting a server takes longer than most tests on it. So a server outlives the test file that
 * started it, and the next file in this process that needs the same kind takes it over, with its
 * database as empty as it was at first.
 */
export type Lodging = {
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

type Vacant = { kind: string; lodging: Lodging; empty: () => Promise<void> };

/** Keeping more of them would only waste memory. */
const room = 3;
const vacant: Vacant[] = [];
const inUse = new Map<Lodging, Vacant>();

/**
 * Returns a lodging of this kind that is not in use.
 * @param build starts a new one, with its own database
 */
export async function moveIn<One extends Lodging>(
  kind: string,
  build: () => Promise<One>,
): Promise<One> {
  endWithThisProcess();
  const index = vacant.findIndex((each) => each.kind === kind);
  const [found] = index < 0 ? [] : vacant.splice(index, 1);
  const taken = found ?? (await built(kind, build));
  for (const { logFile } of taken.lodging.servers) truncateSync(logFile);
  inUse.set(taken.lodging, taken);
  if (found) await taken.empty();
  // All lodgings of one kind are built alike.
  return taken.lodging as One;
}

async function built(kind: string, build: () => Promise<Lodging>): Promise<Vacant> {
  const lodging = await build();
  const empty = lodging.isShared ? async () => {} : await takeBackup(lodging.databaseUrl);
  return { kind, lodging, empty };
}

/** Gives a lodging back, and returns the log lines of its servers that report internal failures. */
export async function moveOut(lodging: Lodging): Promise<string[]> {
  const taken = inUse.get(lodging);
  inUse.delete(lodging);
  const failures = lodging.servers.flatMap(({ logFile }) => failuresIn(logFile));
  if (!taken || !lodging.servers.every(isRunning)) await tearDown(lodging);
  else if (vacant.push(taken) > room) await tearDown(vacant.shift()?.lodging);
  return failures;
}

const isRunning = ({ process: { exitCode, signalCode } }: Server) =>
  exitCode === null && signalCode === null;

async function tearDown(lodging: Lodging | undefined): Promise<void> {
  await Promise.all((lodging?.servers ?? []).map((server) => server.stop()));
  await lodging?.close?.();
}

let isWatched = false;

/**
 * This process is ended by a signal, and the servers started here would keep running without it.
 */
function endWithThisProcess(): void {
  if (isWatched) return;
  isWatched = true;
  process.once('SIGTERM', () => {
    const left = [...vacant.map(({ lodging }) => lodging), ...inUse.keys()];
    for (const { servers } of left) for (const server of servers) server.process.kill('SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  });
}
