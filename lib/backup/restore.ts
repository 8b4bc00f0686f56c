import { config } from '../config.ts';
import { secretId } from '../sealed/seal.ts';
import { type Checked, checkBackup, readParts } from './check.ts';
import { BackupError } from './envelope.ts';
import { knownOf } from './known.ts';
import { onSide } from './open-side.ts';
import {
  endAllSignIns,
  type Inhabitants,
  inhabitantsOf,
  type Revived,
  replaceContent,
  revivedIn,
} from './replace.ts';
import type { Side } from './side.ts';

export type RestoreOptions = {
  passphrase: string | null;
  /** Consents to losing the content of the database. */
  replace: boolean;
  /** Ends every session, code and token of the backup. */
  endSignIns: boolean;
  /** Checks everything and changes nothing. */
  dryRun: boolean;
};
export type Restored = Checked & { replaced: Inhabitants; revived: Revived | null };

/**
 * Restores a backup into a database that has its tables, in one transaction: everything or nothing.
 * A rehearsal (`dryRun`) needs no tables.
 * @throws BackupError if the backup is not complete or not for this version or secret, or the
 * database is not empty
 */
export async function restore(
  file: string,
  databaseUrl: string,
  options: RestoreOptions,
  now: Date,
): Promise<Restored> {
  const checked = await checkBackup(file, options.passphrase);
  checkSecret(checked);
  return onSide(databaseUrl, options.dryRun ? 'read' : 'replace', async (side) => {
    if (options.dryRun && side.migration === null) {
      checkNotNewer(checked, side);
      return { ...checked, replaced: { users: 0, clients: 0 }, revived: null };
    }
    checkVersion(checked, side);
    const replaced = await inhabitantsOf(side);
    if (!options.replace) checkEmpty(replaced);
    if (options.dryRun) return { ...checked, replaced, revived: null };
    const names = Object.keys(checked.sums);
    await replaceContent(side, names, readParts(file, options.passphrase));
    if (options.endSignIns) await endAllSignIns(side, names, now);
    const revived = await revivedIn(side, names, now);
    await side.commit();
    return { ...checked, replaced, revived };
  });
}

function checkSecret({ about }: Checked): void {
  if (config().serverSecrets.map(secretId).includes(about.secretId)) return;
  throw new BackupError(
    about.secrets
      ? 'The keys in this backup are sealed with another server secret than this one. Write it from the backup to a file with --secret-to FILE, and restore with SERVER_SECRET_FILE=FILE.'
      : 'The keys in this backup are sealed with another server secret. Give it as SERVER_SECRET or SERVER_SECRET_PREVIOUS.',
  );
}

/** Whether this version can make the tables of a backup. */
function checkNotNewer({ about }: Checked, { kind }: Side): void {
  if (knownOf({ kind, migration: about.migration })?.isAhead)
    throw new BackupError(newerThanThis(about));
}

const newerThanThis = ({ version }: Checked['about']) =>
  `This backup is of a newer version of Gatehouse (${version}). Use that version.`;

function checkVersion({ about }: Checked, { migration }: Side): void {
  if (migration === about.migration) return;
  const isNewer = migration === null || about.migration > migration;
  throw new BackupError(
    isNewer
      ? newerThanThis(about)
      : `This backup is of an older version (${about.version}) with other tables. Restore it into an empty database, which is then brought up to date: point DATABASE_URL at one without tables.`,
  );
}

function checkEmpty({ users, clients }: Inhabitants): void {
  if (users + clients === 0) return;
  throw new BackupError(
    `The database is not empty: it has ${users} users and ${clients} apps. With --replace they are deleted, and the backup stands in their place.`,
  );
}
