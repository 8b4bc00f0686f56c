import { randomInt } from 'node:crypto';
import { isMissingParent } from '../store/engine/database.ts';
import { sumOf } from './content.ts';
import { BackupError } from './envelope.ts';
import type { Part, Sums } from './format.ts';
import type { Side } from './side.ts';
import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/** The content of a database that no one wants to lose by mistake. */
export type Inhabitants = { users: number; clients: number };

export async function inhabitantsOf(side: Side): Promise<Inhabitants> {
  return {
    users: await side.number('SELECT count(*) FROM users'),
    clients: await side.number('SELECT count(*) FROM clients'),
  };
}

const rowsAtOnce = 500;

/**
 * Replaces the content of a database with that of a backup, then compares each table with the
 * checksums of the backup. Nothing is committed.
 * @throws BackupError if they differ
 */
export async function replaceContent(
  side: Side,
  names: readonly string[],
  parts: AsyncIterable<Part>,
): Promise<void> {
  await side.empty(names);
  const indexes = await side.dropIndexes(names);
  const { tables, sums } = await insertAll(side, parts);
  for (const index of indexes) await side.run(index).catch(refuseDangling);
  const dangling = await side.violations();
  if (dangling > 0)
    throw new BackupError(`${dangling} rows of this backup refer to rows that it does not have.`);
  for (const table of tables) {
    const wanted = sums[table.name];
    const found = await sumOf(side, table);
    if (wanted?.rows !== found.rows || wanted.sha256 !== found.sha256)
      throw new BackupError(
        `The table ${table.name} differs from the backup: ${found.rows} of ${wanted?.rows} rows arrived, or their content changed.`,
      );
  }
  // A new revision, because everything that running processes hold in memory is about the old
  // content.
  await side.run(`UPDATE revision SET value = ${randomInt(2 ** 48 - 1)}`);
}

function refuseDangling(cause: unknown): never {
  if (!isMissingParent(cause)) throw cause;
  throw new BackupError('A row of this backup refers to one that it does not have.', { cause });
}

async function insertAll(
  side: Side,
  parts: AsyncIterable<Part>,
): Promise<{ tables: Table[]; sums: Sums }> {
  const tables: Table[] = [];
  let sums: Sums = {};
  let rows: Row[] = [];
  let arriving = Promise.resolve();
  const flush = async () => {
    await arriving;
    const table = tables.at(-1);
    if (!table || rows.length === 0) return;
    // The next rows are read while these are written. An error is reported where the insert is
    // awaited.
    arriving = side.insert(table, rows);
    arriving.catch(() => {});
    rows = [];
  };
  for await (const part of parts) {
    if ('row' in part) {
      rows.push(part.row);
      if (rows.length >= rowsAtOnce) await flush();
      continue;
    }
    await flush();
    if ('table' in part) tables.push(part.table);
    if ('sums' in part) sums = part.sums;
  }
  await arriving;
  return { tables, sums };
}

/**
 * Ends every session, code and token. They carry the epoch of their user or app, which is raised by
 * a random amount, more than it has risen since the backup: what was issued after the backup must
 * not become valid again either.
 * @param names the tables that the version of the backup has
 */
export async function endAllSignIns(
  side: Side,
  names: readonly string[],
  now: Date,
): Promise<void> {
  const at = momentOn(side, now);
  for (const table of ['sessions', 'device_authorizations'])
    if (names.includes(table)) await side.run(`DELETE FROM ${table}`);
  await side.run(`UPDATE authorizations SET revoked_at = ${at} WHERE revoked_at IS NULL`);
  for (const table of ['users', 'clients'])
    await side.run(`UPDATE ${table} SET epoch = epoch + ${randomInt(2 ** 10, 2 ** 20)}`);
}

const momentOn = ({ kind }: Side, at: Date) =>
  kind === 'sqlite' ? at.getTime() : `'${at.toISOString()}'`;

/** What a restore makes valid again, even if it has been ended since the backup. */
export type Revived = {
  sessions: number;
  authorizations: number;
  appPasswords: number;
  apiKeys: number;
  registrationTokens: number;
};

/** @param names the tables that the version of the backup has */
export async function revivedIn(side: Side, names: readonly string[], now: Date): Promise<Revived> {
  const at = momentOn(side, now);
  const unexpired = async (table: string) =>
    names.includes(table)
      ? side.number(`SELECT count(*) FROM ${table} WHERE expires_at > ${at}`)
      : 0;
  return {
    sessions: await unexpired('sessions'),
    authorizations: await side.number(
      `SELECT count(*) FROM authorizations WHERE revoked_at IS NULL AND keep_until > ${at}`,
    ),
    appPasswords: names.includes('app_passwords')
      ? await side.number(
          `SELECT count(*) FROM app_passwords p JOIN users u ON u.id = p.user_id AND u.epoch = p.user_epoch
            WHERE p.expires_at IS NULL OR p.expires_at > ${at}`,
        )
      : 0,
    apiKeys: await unexpired('api_keys'),
    registrationTokens: await unexpired('registration_tokens'),
  };
}
