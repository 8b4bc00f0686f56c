import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Config, config } from '../config.ts';
import { whileLeased } from '../store/engine/leases.ts';
import { findOperatorSettings } from '../store/operator-settings.ts';
import { log } from '../telemetry/log.ts';
import { makeBackup } from './backup.ts';
import { whatLacks } from './known.ts';

/** `gatehouse-2026-11-22T06-30-00-000Z.backup`: no colons, which some file systems refuse. */
const named = /^gatehouse-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/;

/** The name of a backup that is made now. It sorts by time. */
export const backupName = (now: Date) =>
  `gatehouse-${now.toISOString().replace(/[:.]/g, '-')}.backup`;

function madeAt(name: string): Date | null {
  const [, hour, minute, second, rest] = named.exec(name) ?? [];
  return hour === undefined ? null : new Date(`${hour}:${minute}:${second}.${rest}Z`);
}

/** How scheduled backups are, as their folder shows it. */
export type BackupState =
  | { is: 'off' }
  | { is: 'on'; folder: string; hours: number; last: Date | null; late: boolean };

/** Looks at the folder of scheduled backups. A folder that cannot be read has none. */
export async function backupState(now: Date): Promise<BackupState> {
  const { backups } = config();
  if (backups === null) return { is: 'off' };
  const { folder, hours } = backups;
  const last = madeAt((await backupsIn(folder)).at(-1) ?? '');
  const late = last ? now.getTime() - last.getTime() > 2 * hours * 3600_000 : !(await isNew(now));
  return { is: 'on', folder, hours, last, late };
}

/** Whether this server has run for so short a time that its first backup may not be done. */
async function isNew(now: Date): Promise<boolean> {
  const { startedAt } = (await findOperatorSettings()) ?? {};
  return startedAt !== undefined && now.getTime() - startedAt.getTime() < tryAgain;
}

const tryAgain = 10 * 60_000;

/** The names of scheduled backups, the newest last. */
async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => madeAt(name) !== null).toSorted();
}

/**
 * Makes a backup when the last one is old enough, and deletes those that are too many. Of several
 * processes one does it, however long it takes; after a failure none tries for ten minutes.
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
  const { bytes, lacks } = await makeBackup(config().databaseUrl, file, passphrase, now, lost);
  log().info({ file, bytes }, 'backup made');
  if (lacks) log().warn({ file }, `this backup lacks ${whatLacks}`);
  await deleteOld(folder, keep);
  return file;
}

async function deleteOld(folder: string, keep: number): Promise<void> {
  for (const name of (await backupsIn(folder)).slice(0, -keep))
    await rm(resolve(folder, name), { force: true });
}
