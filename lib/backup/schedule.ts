import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Config, config } from '../config.ts';
import { whileLeased } from '../store/engine/leases.ts';
import { findOperatorSettings } from '../store/operator-settings.ts';
import { log } from '../telemetry/log.ts';
import { makeBackup } from './backup.ts';
import { whatLacks } from './known.ts';

/** `gatehouse-2026-11-22T06-30-00-000Z.backup`: some file systems allow no colons. */
const named = /^gatehouse-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/;

const stampOf = (now: Date) => now.toISOString().replace(/[:.]/g, '-');

/** The name of a scheduled backup made now. Names sort by time. */
export const backupName = (now: Date) => `gatehouse-${stampOf(now)}.backup`;

/**
 * The name of a backup made by hand: it does not count as a scheduled one, and is never deleted
 * automatically.
 */
export const nameByHand = (now: Date) => `gatehouse-manual-${stampOf(now)}.backup`;

function madeAt(name: string): Date | null {
  const [, hour, minute, second, rest] = named.exec(name) ?? [];
  return hour === undefined ? null : new Date(`${hour}:${minute}:${second}.${rest}Z`);
}

/** The state of scheduled backups, as found in their folder. */
export type BackupState =
  | { is: 'off' }
  | {
      is: 'on';
      folder: string;
      hours: number;
      last: Date | null;
      late: boolean;
      /** Dated in the future: the clock was ahead, so their age is unknown. */
      ahead: string[];
    };

/** Looks at the folder of scheduled backups. A folder that cannot be read counts as empty. */
export async function backupState(now: Date): Promise<BackupState> {
  const { backups } = config();
  if (backups === null) return { is: 'off' };
  const { folder, hours } = backups;
  const { made, ahead } = await backupsIn(folder, now);
  const last = madeAt(made.at(-1) ?? '');
  const late = last ? now.getTime() - last.getTime() > 2 * hours * 3600_000 : !(await isNew(now));
  return { is: 'on', folder, hours, last, late, ahead };
}

/** Whether this server has started so recently that its first backup may not be finished. */
async function isNew(now: Date): Promise<boolean> {
  const { startedAt } = (await findOperatorSettings()) ?? {};
  return startedAt !== undefined && now.getTime() - startedAt.getTime() < tryAgain;
}

const tryAgain = 10 * 60_000;

/** How far the clocks of servers may differ, in milliseconds. */
const mostAhead = 5 * 60_000;

/** The names of scheduled backups, the newest last, and of those dated in the future. */
async function backupsIn(folder: string, now: Date): Promise<{ made: string[]; ahead: string[] }> {
  const names = await readdir(folder).catch((): string[] => []);
  const scheduled = names.filter((name) => madeAt(name) !== null).toSorted();
  const latest = backupName(new Date(now.getTime() + mostAhead));
  return {
    made: scheduled.filter((name) => name <= latest),
    ahead: scheduled.filter((name) => name > latest),
  };
}

/**
 * Makes a backup if the last one is old enough, and deletes the oldest beyond the number to keep.
 * Only one of several processes does it, however long it takes; after a failure, none tries again
 * for ten minutes.
 * @returns the file that was made, or null
 */
export async function backUpWhenDue(now: Date): Promise<string | null> {
  const { backups } = config();
  const state = await backupState(now);
  if (backups === null || state.is === 'off') return null;
  const due = (state.last?.getTime() ?? 0) + backups.hours * 3600_000;
  if (now.getTime() < due) return null;
  return whileLeased('backup', tryAgain, now, (lost) => backUp(backups, now, lost));
}

async function backUp(
  { folder, passphrase, keep }: NonNullable<Config['backups']>,
  now: Date,
  lost: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = resolve(folder, backupName(now));
  const { databaseUrl } = config();
  const { bytes, lacks } = await makeBackup({ databaseUrl, file, passphrase, stop: lost }, now);
  log().info({ file, bytes }, 'backup made');
  if (lacks) log().warn({ file }, `this backup lacks ${whatLacks}`);
  await deleteOld(folder, keep, now);
  return file;
}

async function deleteOld(folder: string, keep: number, now: Date): Promise<void> {
  const { made } = await backupsIn(folder, now);
  for (const name of made.slice(0, -keep)) await rm(resolve(folder, name), { force: true });
}
