import { once } from '../../once.ts';
import { database, read, readOne } from './database.ts';
import { Gathered } from './gathered.ts';
import { storable } from './page.ts';
import { withColumnsOf } from './parameters.ts';
import type { Row } from './statement.ts';
import { transactionHere } from './transaction.ts';

/** The values of a look-up. All are texts, so that one statement can take those of several. */
type Key = Readonly<Record<string, string>>;

/**
 * As `readTogether`; on SQLite the row is cached until something is written to the database.
 */
export async function readHeld<R extends object = Row>(
  sql: string,
  key: Key,
): Promise<R | undefined> {
  const db = database();
  return db.kind === 'sqlite' ? readCached<R>(sql, key, db.stamp()) : readTogether<R>(sql, key);
}

/**
 * As `readOne`, for a look-up that many requests make: on PostgreSQL, those made in one turn of the
 * event loop share a statement.
 * @param sql a constant with at least one parameter
 */
export async function readTogether<R extends object = Row>(
  sql: string,
  key: Key,
): Promise<R | undefined> {
  if (database().kind === 'sqlite' || transactionHere()) return readOne<R>(sql, key);
  return (await gatheredFor(sql).ask(key)) as R | undefined;
}

type HeldRow = { row: Row; stamp: number };
/** Of each statement. */
const maxCached = 2000;

async function readCached<R extends object>(
  sql: string,
  key: Key,
  stamp: number,
): Promise<R | undefined> {
  const bySql = once('held-rows', () => new Map<string, Map<string, HeldRow>>());
  const rows = bySql.get(sql) ?? new Map<string, HeldRow>();
  bySql.set(sql, rows);
  const name = Object.values(key).join(' ');
  const held = rows.get(name);
  if (held?.stamp === stamp) return held.row as R;
  const row = await readOne(sql, key);
  if (rows.size >= maxCached) rows.clear();
  if (row) rows.set(name, { row, stamp });
  return row as R | undefined;
}

type LookUps = Gathered<Key, Row | undefined>;

/** The look-ups by one statement. Statements are constants, so there are only a few. */
function gatheredFor(sql: string): LookUps {
  const bySql = once('look-ups', () => new Map<string, LookUps>());
  const known = bySql.get(sql);
  if (known) return known;
  const gathered: LookUps = new Gathered((keys) => readMany(sql, keys));
  bySql.set(sql, gathered);
  return gathered;
}

/**
 * The row for each key, in their order. Keys are made storable, because PostgreSQL would refuse the
 * whole statement for one key with a NUL or half a surrogate pair.
 */
async function readMany(sql: string, keys: Key[]): Promise<(Row | undefined)[]> {
  const [first = {}, second] = keys;
  if (!second) return [await readOne(sql, first)];
  const asked = JSON.stringify(
    keys.map((key, place) => ({ ...key, place })),
    (_, value: unknown) => (typeof value === 'string' ? storable(value) : value),
  );
  const many = askingMany(sql, Object.keys(first));
  const rows = await read<Row & { place: number }>(many, { asked });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, place) => byPlace.get(place));
}

/**
 * The statement for several keys at once. OFFSET 0 makes PostgreSQL run it for each key in turn, by
 * the index that serves one key, however many rows it expects.
 */
function askingMany(sql: string, names: readonly string[]): string {
  const columns = names.map((name) => `"${name}" TEXT`).join(', ');
  return `SELECT k.place, found.*
    FROM json_to_recordset(CAST(:asked AS json)) AS k(place INTEGER, ${columns})
    CROSS JOIN LATERAL (${withColumnsOf('k', sql)} OFFSET 0) found`;
}
