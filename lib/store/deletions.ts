import { tables } from '#prisma/generated/tables.ts';
import { newId } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { allColumns } from './engine/all-columns.ts';
import {
  type Columns,
  database,
  orTaken,
  read,
  readOne,
  writeTogether,
} from './engine/database.ts';
import { storable } from './engine/page.ts';
import { raising } from './engine/revision.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/*
 * What was deleted rests: its row, and the rows of other tables that went with it, are kept as JSON
 * and put back as they were. Nothing else knows of them, so for everyone else it is deleted
 * (docs/decisions/0067-deleted-things-rest.md).
 */

/** The table of each kind of thing that can be put back. */
const rootOf = { user: 'users', client: 'clients', group: 'user_groups' } as const;
export type DeletedKind = keyof typeof rootOf;
export type Deletion = Columns<'deletions'>;

/** What ends with a deletion, and is not put back: sign-ins, tokens, links, and what was traced. */
const ended = new Set([
  'sessions',
  'remembered_devices',
  'app_passwords',
  'device_authorizations',
  'mailed_links',
  'traces',
]);

type Shape = {
  columns: Readonly<Record<string, string>>;
  key: readonly string[];
  parents: Readonly<Record<string, string>>;
};
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>(Object.entries(tables));

/** The tables whose rows go with a row of the root, and the column that names it. */
const goingWith = (root: string): [table: string, column: string][] =>
  [...shapes].flatMap(([table, { parents }]) => {
    if (ended.has(table)) return [];
    const [column] = Object.entries(parents).find(([, parent]) => parent === root) ?? [];
    return column ? [[table, column] as [string, string]] : [];
  });

/**
 * The statements that keep what is about to be deleted in the same transaction. They run once its
 * sign-ins and tokens have ended.
 */
export function keepingDeleted(
  { kind, subject, name, madeBy }: Omit<Deletion, 'id' | 'deletedAt'> & { kind: DeletedKind },
  now: Date,
): Statement[] {
  const id = newId(now);
  const sql =
    'INSERT INTO deletions (id, kind, subject, name, deleted_at, made_by) VALUES (:id, :kind, :subject, :name, :now, :madeBy)';
  const root = rootOf[kind];
  const rows: [string, string][] = [[root, 'id'], ...goingWith(root)];
  return [
    { sql, params: { id, kind, subject, name, now, madeBy } },
    ...rows.map(([table, column]) => ({
      sql: `INSERT INTO deleted_rows (deletion_id, table_name, row_key, content)
        SELECT :id, '${table}', ${keyOf(table)}, ${contentOf(table)} FROM ${table} AS t WHERE t.${column} = :subject`,
      params: { id, subject },
    })),
  ];
}

const keyOf = (table: string) =>
  (shapes.get(table)?.key ?? []).map((column) => `CAST(t.${column} AS TEXT)`).join(" || ' ' || ");

/** SQL: the values of a row as a JSON object. */
function contentOf(table: string): string {
  if (database().kind === 'postgresql') return 'CAST(to_jsonb(t) AS TEXT)';
  const values = Object.entries(shapes.get(table)?.columns ?? {}).map(
    ([column, kind]) => `'${column}', ${kind === 'bytes' ? `hex(t.${column})` : `t.${column}`}`,
  );
  return `json_object(${values.join(', ')})`;
}

/** A value as one database wrote it into JSON, for a statement on either. */
function fromJson(kind: string, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (kind === 'flag') return Boolean(value);
  if (kind === 'moment') return new Date(value as string | number);
  if (kind === 'bytes') return Buffer.from(String(value).replace(/^\\x/, ''), 'hex');
  return value as SqlValue;
}

const latestFirst = 'ORDER BY deleted_at DESC, id DESC';

/** What can be put back, the latest first. */
export function listDeletions(kind: DeletedKind | null, most: number): Promise<Deletion[]> {
  const which = kind === null ? '' : 'WHERE kind = :kind';
  const sql = `SELECT ${allColumns('deletions')} FROM deletions ${which} ${latestFirst} LIMIT ${most}`;
  return read<Deletion>(sql, kind === null ? {} : { kind });
}

export async function findDeletion(id: string): Promise<Deletion | null> {
  const sql = `SELECT ${allColumns('deletions')} FROM deletions WHERE id = :id`;
  return (await readOne<Deletion>(sql, { id: storable(id) })) ?? null;
}

/** Deletes it for good, before its time. False: it is gone already. */
export async function endDeletion(id: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM deletions WHERE id = :id RETURNING id';
  return (await writeTogether({ sql, params: { id } }, [auditing(event, now)])).length > 0;
}

/**
 * Puts back what was deleted, as it was, but for what needs something that is itself gone by now.
 * `taken`: something else has its name, its address or its id. Of two who try, one does it.
 */
export async function putBack(
  deletion: Deletion,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'taken' | 'gone'> {
  const { id, kind, deletedAt } = deletion;
  const root = rootOf[kind as DeletedKind];
  type Kept = Columns<'deleted_rows', 'tableName' | 'content'>;
  const kept = await read<Kept>(
    'SELECT table_name, content FROM deleted_rows WHERE deletion_id = :id',
    { id },
  );
  const rowsOf = (isRoot: boolean) =>
    kept.filter(({ tableName }) => (tableName === root) === isRoot);
  const then = [
    ...rowsOf(true).map(({ content }) => inserting(root, asBefore(content, deletedAt, now), '')),
    ...rowsOf(false).map(({ tableName, content }) =>
      inserting(tableName, JSON.parse(content), 'ON CONFLICT DO NOTHING'),
    ),
    ...(kind === 'user' ? [freeingName(deletion)] : []),
    raising(),
    auditing(event, now),
  ];
  const first = { sql: 'DELETE FROM deletions WHERE id = :id RETURNING id', params: { id } };
  const rows = await writeTogether(first, then).catch(orTaken);
  if (rows === 'taken') return rows;
  return rows.length > 0 ? 'done' : 'gone';
}

type Content = Record<string, unknown>;

/** The row as it was before its deletion disabled it. */
function asBefore(content: string, deletedAt: Date, now: Date): Content {
  const row: Content = JSON.parse(content);
  const disabledAt = fromJson('moment', row.disabled_at);
  const byDeletion = disabledAt instanceof Date && +disabledAt === +deletedAt;
  return { ...row, ...(byDeletion && { disabled_at: null }), updated_at: now.getTime() };
}

/** Inserts a row, unless another row that it names is gone. */
function inserting(table: string, row: Content, ending: string): Statement {
  const { columns = {}, parents = {} } = shapes.get(table) ?? {};
  const there = Object.keys(row).filter((column) => column in columns);
  const values = there.map((column) => castOf(columns[column] ?? '', column));
  const conditions = there.flatMap((column) => {
    const parent = parents[column];
    const [key] = shapes.get(parent ?? '')?.key ?? [];
    const value = castOf(columns[column] ?? '', column);
    return key
      ? [`(${value} IS NULL OR EXISTS (SELECT 1 FROM ${parent} p WHERE p.${key} = ${value}))`]
      : [];
  });
  const sql = `INSERT INTO ${table} (${there.join(', ')}) SELECT ${values.join(', ')}
    WHERE ${conditions.join(' AND ') || 'TRUE'} ${ending}`;
  const params = Object.fromEntries(
    there.map((column) => [column, fromJson(columns[column] ?? '', row[column])]),
  );
  return { sql, params };
}

const types: Readonly<Record<string, string>> = {
  text: 'TEXT',
  number: 'BIGINT',
  flag: 'BOOLEAN',
  moment: 'TIMESTAMPTZ',
  bytes: 'BYTEA',
};

/** PostgreSQL has to be told the type of a selected parameter. */
const castOf = (kind: string, column: string) =>
  database().kind === 'postgresql' ? `CAST(:${column} AS ${types[kind]})` : `:${column}`;

/** The name is theirs again; it was reserved for them. */
const freeingName = ({ subject }: Deletion): Statement => ({
  sql: `DELETE FROM former_usernames WHERE user_id = :subject
    AND username_key = (SELECT username_key FROM users WHERE id = :subject)`,
  params: { subject },
});
