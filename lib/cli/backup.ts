import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Revived } from '../backup/replace.ts';
import type { Restored } from '../backup/restore.ts';
import { config } from '../config.ts';
import { dataFolderOf, ownSecretIn } from '../settings/data-folder.ts';
import { throughDraft } from '../tooling/draft.ts';
import { makeFolder } from '../tooling/folder.ts';
import { applyMigrations } from '../tooling/migrate.ts';
import { type Answer, printing } from './answer.ts';
import { fileNamed } from './called-from.ts';
import { readPassword } from './options.ts';
import { refuseCommand } from './refuse.ts';
import { table } from './text.ts';

type BackupOptions = { passphrase?: string };
type Beside = { besideServer?: boolean };
type RestoreOptions = BackupOptions &
  Beside & {
    replace?: boolean;
    endSignIns?: boolean;
    dryRun?: boolean;
    secretTo?: string;
  };

const passphraseOption = [
  '--passphrase <text>',
  'encrypt with it, and include the server secret; - reads it from standard input',
] as const;

/** What doing this beside a running server costs. */
const costs = {
  restore:
    'What people do in the meantime is lost, and requests wait or fail until the backup is in place.',
  move: 'What people do afterwards stays in the old database: passwords, apps and sign-ins of that time are lost.',
};

/** Commands that back up, restore and move everything the database holds. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'write everything the database holds into one encrypted file, while the server runs',
    )
    .argument('[file]', 'where to (default: a new file in BACKUP_DIR or DATA_DIR/backups)')
    .option(...passphraseOption)
    .addHelpText(
      'after',
      '\nWithout a passphrase the file opens with the secret of this server only (SERVER_SECRET, or DATA_DIR/server-secret): keep that, too.',
    )
    .action(printing(backUp));
  program
    .command('restore')
    .description('replace what the database holds with a backup: everything or nothing')
    .argument('<file>', 'a file that backup made, from SQLite or PostgreSQL')
    .option('--passphrase <text>', 'what it was encrypted with; - reads it from standard input')
    .option('--replace', 'delete what is in the database now')
    .option(
      '--end-sign-ins',
      'end every session, code and token that was alive in the backup; API keys and registration tokens stay, and are counted',
    )
    .option('--dry-run', 'check the backup and say what would happen')
    .option('--secret-to <file>', 'write the server secret from the backup to a new file, and stop')
    .option('--beside-server', `run even while a server is running. ${costs.restore}`)
    .addHelpText(
      'after',
      '\nWhat was used up, ended or withdrawn after the backup was made is alive again with it. Stop the server first.',
    )
    .action(printing(restoreFrom));
  program
    .command('move')
    .description('copy everything into another database, SQLite or PostgreSQL')
    .requiredOption('--to <url>', 'file:PATH or postgresql://USER:PASSWORD@HOST/NAME')
    .option('--replace', 'delete what is in that database now')
    .option('--beside-server', `run even while a server is running. ${costs.move}`)
    .addHelpText('after', '\nStop the server first; start it with the new DATABASE_URL afterwards.')
    .action(printing(move));
}

const passphraseOf = async ({ passphrase }: BackupOptions): Promise<string | null> => {
  if (passphrase === undefined) return null;
  const read = await readPassword(passphrase);
  if (read.length < 10)
    refuseCommand(
      'A passphrase has at least 10 characters: the file holds every secret of this server.',
    );
  return read;
};

async function backUp(given: string | undefined, options: BackupOptions): Promise<Answer> {
  const { makeBackup } = await import('../backup/backup.ts');
  const { whatLacks } = await import('../backup/known.ts');
  const now = new Date();
  const passphrase = await passphraseOf(options);
  const file = given === undefined ? await newFile(now) : fileNamed(given);
  if (existsSync(file)) refuseCommand(`${file} exists already. Name another file.`);
  const { databaseUrl } = config();
  const { bytes, tables, lacks } = await makeBackup({ databaseUrl, file, passphrase }, now);
  const rows = sum(tables);
  const opens =
    passphrase === null
      ? 'It opens with the secret of this server: keep that in another place, too.'
      : 'It opens with the passphrase, and has the secret of this server in it.';
  return {
    json: {
      file,
      bytes,
      rows,
      at: now.toISOString(),
      passphrase: passphrase !== null,
      lacks,
      tables,
    },
    text: [
      file,
      `${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes. ${opens}`,
      ...(lacks ? [`It lacks ${whatLacks}.`] : []),
    ].join('\n'),
  };
}

async function newFile(now: Date): Promise<string> {
  const folder = config().backups?.folder ?? resolve(config().dataDir, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { nameByHand } = await import('../backup/schedule.ts');
  return resolve(folder, nameByHand(now));
}

async function restoreFrom(named: string, options: RestoreOptions): Promise<Answer> {
  const file = fileNamed(named);
  const passphrase = await passphraseOf(options);
  if (options.secretTo !== undefined) return writeSecret(file, passphrase, options.secretTo);
  checkSecret(passphrase);
  const { restore } = await import('../backup/restore.ts');
  const { databaseUrl } = config();
  const { replace = false, endSignIns = false, dryRun = false, besideServer = false } = options;
  if (!besideServer && !dryRun) await refuseInUse(databaseUrl, costs.restore, new Date());
  const said = { passphrase, replace, endSignIns, dryRun };
  const restored = await throughDraft(
    databaseUrl,
    async (target) => {
      // A new file is only a draft: a rehearsal removes it again.
      if (!dryRun || target.startsWith('file:')) await migrateTo(file, passphrase, target);
      const done = await restore(file, target, said, new Date());
      if (!dryRun) await applyMigrations(target);
      return done;
    },
    () => !dryRun,
  );
  return tellRestored(file, restored, dryRun);
}

function tellRestored(
  file: string,
  { about, sums, replaced, revived }: Restored,
  dryRun: boolean,
): Answer {
  const json = {
    file,
    made_at: about.at,
    version: about.version,
    rows: sum(sums),
    replaced,
    revived: revived && {
      sessions: revived.sessions,
      authorizations: revived.authorizations,
      app_passwords: revived.appPasswords,
      api_keys: revived.apiKeys,
      registration_tokens: revived.registrationTokens,
    },
    dry_run: dryRun,
    tables: sums,
  };
  const backup = `The backup of ${about.at} is whole: ${sum(sums).toLocaleString('en')} rows.`;
  if (dryRun)
    return {
      json,
      text: `${backup}\nIt would replace ${replaced.users} users and ${replaced.clients} apps. Nothing was changed.`,
    };
  const told = ['Restored, and compared row by row.', ...(revived ? tellRevived(revived) : [])];
  return { json, text: [backup, ...told].join('\n') };
}

/** @throws CommandRefused if this server has no secret, with which no backup opens */
function checkSecret(passphrase: string | null): void {
  const { SERVER_SECRET, SERVER_SECRET_FILE } = process.env;
  const file = ownSecretIn(dataFolderOf(process.env, process.cwd()));
  if (SERVER_SECRET || SERVER_SECRET_FILE || existsSync(file)) return;
  const how =
    passphrase === null
      ? `Put it into ${file}`
      : `Write it from the backup first, with --secret-to ${file}`;
  refuseCommand(
    `This server has no secret yet, and what is in a backup opens with that of the server that made it. ${how}, and run this again.`,
  );
}

function tellRevived(revived: Revived): string[] {
  const { sessions, authorizations, appPasswords, apiKeys, registrationTokens } = revived;
  const alive =
    sessions + authorizations + appPasswords > 0
      ? `Alive again as they were then: ${sessions} sessions, ${authorizations} sign-ins of apps and ${appPasswords} app passwords, also those that were ended since. To end them all, and the tokens that apps have for themselves: restore once more with --end-sign-ins.`
      : 'No session, no sign-in of an app and no app password is alive.';
  if (apiKeys + registrationTokens === 0) return [alive];
  const keys = `Good again as they were then, also those that were deleted since: ${apiKeys} API keys (api-key list) and ${registrationTokens} registration tokens (registration-token list). Delete those that nobody should have.`;
  return [alive, keys];
}

async function refuseInUse(databaseUrl: string, cost: string, now: Date): Promise<void> {
  const inUse = await import('../backup/in-use.ts');
  await inUse.refuseInUse(databaseUrl, cost, now);
}

/** Gives a database without tables those of the version that made the backup. */
async function migrateTo(
  file: string,
  passphrase: string | null,
  databaseUrl: string,
): Promise<void> {
  const { checkBackup } = await import('../backup/check.ts');
  const { about } = await checkBackup(file, passphrase);
  const { applyMigrationsUpTo } = await import('../tooling/migrate.ts');
  await applyMigrationsUpTo(databaseUrl, about.migration);
}

async function writeSecret(
  file: string,
  passphrase: string | null,
  target: string,
): Promise<Answer> {
  const { checkBackup } = await import('../backup/check.ts');
  const [secret] = (await checkBackup(file, passphrase)).about.secrets ?? [];
  if (secret === undefined)
    refuseCommand('Only a backup with a passphrase has the server secret in it.');
  const written = fileNamed(target);
  if (existsSync(written))
    refuseCommand(
      `${written} is there already. If a server that holds nothing yet made it, stop that server and move the file and its database (gatehouse.db, -wal and -shm) away, then run this again.`,
    );
  makeFolder(dirname(written));
  writeFileSync(written, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  const text = `${written} has the server secret. Restore with SERVER_SECRET_FILE=${written}, and start the server with it.`;
  return { json: { file: written }, text };
}

type MoveOptions = Beside & { to: string; replace?: boolean };

async function move({ to, replace = false, besideServer }: MoveOptions): Promise<Answer> {
  const { moveDatabase } = await import('../backup/move.ts');
  const { parseDatabaseUrl } = await import('../config.ts');
  const target = parseDatabaseUrl(to);
  if (!besideServer)
    for (const each of [config().databaseUrl, target])
      await refuseInUse(each, costs.move, new Date());
  await applyMigrations(config().databaseUrl);
  const sums = await throughDraft(target, async (draft) => {
    await applyMigrations(draft);
    return moveDatabase(config().databaseUrl, draft, replace);
  });
  const rows = Object.entries(sums).filter(([, { rows }]) => rows > 0);
  return {
    json: { rows: sum(sums), tables: sums },
    text: `${table(
      ['table', 'rows'],
      rows.map(([name, { rows }]) => [name, String(rows)]),
      'Nothing.',
    )}\n\nEverything is there, compared row by row. Start the server with DATABASE_URL naming the new database; the old one is as it was.`,
  };
}

const sum = (tables: Record<string, { rows: number }>) =>
  Object.values(tables).reduce((all, { rows }) => all + rows, 0);
