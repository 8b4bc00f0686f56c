import { truncateSync } from 'node:fs';
import { takeBackup } from './backup.ts';
import { failuresIn } from './serve-setup.ts';
import type { Server } from './server.ts';

/**
 * Starting a server costs more than most of what is tested there. So it outlives the test file that started it, and
 * the next one in this process that wants the same kind moves in: its database is as empty as it was at first.
 */
export type Lodging = {
  databaseUrl: string;
  /** All that serve this database. Who moves in may add some, and stops those that are not to stay. */
  servers: Server[];
  /** Others use the database, too: its rows stay. */
  isShared?: true;
  /** Ends what is here beside the servers. */
  close?: () => Promise<unknown>;
};

type Vacant = { kind: string; lodging: Lodging; empty: () => Promise<void> };

/** More of them would take memory for nothing. */
const room = 3;
const vacant: Vacant[] = [];
const inUse = new Map<Lodging, Vacant>();

/** Gives one of this kind in which nobody is. @param build starts one, on a database of its own */
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
  // Of one kind all are built alike.
  return taken.lodging as One;
}

async function built(kind: string, build: () => Promise<Lodging>): Promise<Vacant> {
  const lodging = await build();
  const empty = lodging.isShared ? async () => {} : await takeBackup(lodging.databaseUrl);
  return { kind, lodging, empty };
}

/** Gives back one, and the lines of its servers that tell of failures inside. */
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

/** Whoever ends this process sends it a signal: what has been started here would go on without it. */
function endWithThisProcess(): void {
  if (isWatched) return;
  isWatched = true;
  process.once('SIGTERM', () => {
    const left = [...vacant.map(({ lodging }) => lodging), ...inUse.keys()];
    for (const { servers } of left) for (const server of servers) server.process.kill('SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  });
}
