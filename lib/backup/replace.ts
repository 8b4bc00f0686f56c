import { randomInt } from 'node:crypto';
import { isMissingParent } from '../store/engine/database.ts';
import { sumOf } from './content.ts';
import { BackupError } from './envelope.ts';
import type { Part, Sums } from './format.ts';
import type { Side } from './side.ts';
import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/** What a database has that nobody wants to lose by mistake. */
export type Inhabitants = { users: number; clients: number };

export async function inhabitantsOf(side: Side): Promise<Inhabitants> {
  return {
    users: await side.number('SELECT count(*) FROM users'),
    clients: await side.number('SELECT count(*) FROM clients'),
  };
}

const rowsAtOnce = 500;

/**
 * Gives a database the content of a backup instead of its own, and compares what it holds then, row
 * by row, with what stands in the backup. Nothing is committed.
 * @throws BackupError if it does not hold the same
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
        `Of the table ${table.name} ${found.rows} of ${wanted?.rows} rows arrived, or not as they were.`,
      );
  }
  // Whatever a running process holds in memory is of another content.
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
    // The next ones are read while these are written. What fails is told where it is waited for.
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
 * Ends every session, code and token. They carry the epoch of their user or their app, which is raised by more than it
 * rose since the backup: what was given out after it must not be good again either.
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

/** What lives again with a backup, whatever has ended it since. */
export type Revived = {
  sessions: number;
  authorizations: number;
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
    apiKeys: await unexpired('api_keys'),
    registrationTokens: await unexpired('registration_tokens'),
  };
}
