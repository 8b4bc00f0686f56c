import { newId } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import { storable } from './engine/page.ts';
import { type Waiting, type WaitingTable, waitingTable } from './engine/queue.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/** The maximum number of items in a batch, and of batches under way. */
export const mostInBatch = 10_000;
export const mostUnderWay = 20;

/** Texts by name: what an operation needs to know. */
export type Given = Readonly<Record<string, string>>;

/** An operation on many items in the background. */
export type Batch = {
  id: string;
  operation: string;
  given: Given;
  madeBy: string;
  address: string | null;
  requestId: string | null;
  total: number;
  createdAt: Date;
  finishedAt: Date | null;
  /** JSON: the sentence that says why it ended before everything was done. */
  stopped: string | null;
  /** Why it was requested. */
  note: string | null;
  /** The filter by which people were chosen; null: they were chosen one by one. */
  chosen: Given | null;
  /** The id of the batch that this one undoes. */
  undoes: string | null;
};

/** The person or thing that the operation is for, and the label people know it by. */
export type BatchSubject = { subject: string; label: string; given?: Given };
export type BatchItem = Required<BatchSubject> & { position: number; kept: Kept | null };

/** What a batch changes about a person. Moments are milliseconds since 1970. */
export type State = Readonly<Record<string, string | number | boolean | null>>;
/** The state just before an item was done, and just afterwards. */
export type Kept = { before: State; after: State };

type Outcome = 'done' | 'already' | 'refused';

export type ToStore = Pick<
  Batch,
  'operation' | 'given' | 'madeBy' | 'address' | 'requestId' | 'note' | 'chosen' | 'undoes'
>;
type NewBatch = ToStore & {
  items: readonly BatchSubject[];
  /** The id of the list that was read for it. */
  list?: string;
};

/**
 * Stores a batch, unless too many are under way, and gives its id. The list that was read for it is
 * used up: if two requests use the same list, one succeeds.
 */
export async function storeBatch(
  { items, list, ...batch }: NewBatch,
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<string | 'full'> {
  const id = newId(now);
  const total = { sql: 'CAST(:total AS INTEGER)', params: { total: items.length } };
  const storing = (condition: string) => storingBatch({ ...batch, id }, total, condition, now);
  const following = [...insertingItems(id, items), auditing(eventOf(id), now)];
  const using = `DELETE FROM import_drafts WHERE id = :list AND ${roomForOne} RETURNING id`;
  const [first, then] =
    list === undefined
      ? [storing(`WHERE ${roomForOne}`), following]
      : [{ sql: using, params: { list } }, [storing(''), ...following]];
  return (await writeTogether(first, then)).length > 0 ? id : 'full';
}

/** The statement that stores a batch with this total, under a condition. */
export function storingBatch(
  batch: ToStore & { id: string },
  total: Statement,
  condition: string,
  now: Date,
): Statement {
  const [given, chosen] = [
    JSON.stringify(batch.given),
    batch.chosen && JSON.stringify(batch.chosen),
  ];
  const sql = `INSERT INTO batches (id, operation, given, made_by, address, request_id, note, chosen, undoes, total, created_at, attempts, next_at)
    SELECT :id, :operation, :given, :madeBy, :address, :requestId, :note, :chosen, :undoes, ${total.sql}, CAST(:now AS TIMESTAMPTZ), 0, CAST(:now AS TIMESTAMPTZ)
    ${condition} RETURNING id`;
  return { sql, params: { ...batch, ...total.params, given, chosen, now } };
}

export const roomForOne = `(SELECT count(*) FROM batches WHERE finished_at IS NULL) < ${mostUnderWay}`;
const rowsAtOnce = 500;

function insertingItems(id: string, items: readonly BatchSubject[]): Statement[] {
  const parts = Math.ceil(items.length / rowsAtOnce);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * rowsAtOnce;
    const params: SqlValue[] = [id];
    const rows = items.slice(from, from + rowsAtOnce).map(({ subject, label, given }, index) => {
      const at = params.push(from + index, subject, label, given ? JSON.stringify(given) : null);
      return `($1, $${at - 3}, $${at - 2}, $${at - 1}, $${at})`;
    });
    const sql = `INSERT INTO batch_items (batch_id, position, subject, label, given) VALUES ${rows.join(', ')}`;
    return { sql, params };
  });
}

type BatchRow = Columns<'batches', Exclude<keyof Columns<'batches'>, 'attempts' | 'nextAt'>>;
const columns = [
  'operation',
  'given',
  'made_by',
  'address',
  'request_id',
  'total',
  'created_at',
  'finished_at',
  'stopped',
  'note',
  'chosen',
  'undoes',
];
const select = `SELECT id, ${columns.join(', ')} FROM batches`;

/** The batch with this id, or null. */
export async function findBatch(id: string): Promise<Batch | null> {
  const row = await readOne<BatchRow>(`${select} WHERE id = :id`, { id: storable(id) });
  return row ? toBatch(row) : null;
}

/** The latest batches, of one maker or of all. */
export async function listBatches(madeBy: string | null, most: number): Promise<Batch[]> {
  const which = madeBy === null ? '' : 'WHERE made_by = :madeBy';
  const sql = `${select} ${which} ORDER BY id DESC LIMIT ${most}`;
  return (await read<BatchRow>(sql, madeBy === null ? {} : { madeBy })).map(toBatch);
}

function toBatch({ given, chosen, ...row }: BatchRow): Batch {
  return { ...row, given: JSON.parse(given), chosen: chosen === null ? null : JSON.parse(chosen) };
}

/** How far a batch has come, and for how many of its items the state before is kept. */
export type Progress = Record<Outcome | 'waiting' | 'kept', number>;

export async function progressOf(batchId: string): Promise<Progress> {
  const sql = `SELECT COALESCE(outcome, 'waiting') AS outcome, count(*) AS found, count(kept) AS kept FROM batch_items
    WHERE batch_id = :batchId GROUP BY outcome`;
  type Row = { outcome: keyof Progress; found: number; kept: number };
  const rows = await read<Row>(sql, { batchId });
  const progress: Progress = { done: 0, already: 0, refused: 0, waiting: 0, kept: 0 };
  for (const { outcome, found, kept } of rows) {
    progress[outcome] = found;
    progress.kept += kept;
  }
  return progress;
}

/** An item that was not done, and the sentence that says why, as JSON. */
export type NotDone = { position: number; subject: string; label: string; reason: string };

/** The refused items after a position, in the order of the batch. */
export function listNotDone(batchId: string, after: number, most: number): Promise<NotDone[]> {
  const sql = `SELECT position, subject, label, reason FROM batch_items
    WHERE batch_id = :batchId AND outcome = 'refused' AND position > :after ORDER BY position LIMIT ${most}`;
  return read<NotDone>(sql, { batchId, after });
}

/** The subjects of the items that were done. */
export async function doneSubjects(batchId: string): Promise<string[]> {
  const sql = `SELECT subject FROM batch_items WHERE batch_id = :batchId AND outcome = 'done'`;
  const rows = await read<Columns<'batch_items', 'subject'>>(sql, { batchId });
  return rows.map(({ subject }) => subject);
}

/** The items still to be done, in order. */
export async function waitingItems(batchId: string, most: number): Promise<BatchItem[]> {
  return itemsOf(batchId, `outcome IS NULL ORDER BY position LIMIT ${most}`);
}

/** The items of a batch that fulfil a condition. */
export async function itemsOf(batchId: string, condition: string): Promise<BatchItem[]> {
  const sql = `SELECT position, subject, label, given, kept FROM batch_items
    WHERE batch_id = :batchId AND ${condition}`;
  type ItemRow = Columns<'batch_items', 'position' | 'subject' | 'label' | 'given' | 'kept'>;
  const rows = await read<ItemRow>(sql, { batchId });
  return rows.map(({ given, kept, ...row }) => ({
    ...row,
    given: JSON.parse(given ?? '{}'),
    kept: kept === null ? null : JSON.parse(kept),
  }));
}

/**
 * Takes an item of a batch, within the transaction that does it: if two processes try, one gets it.
 * False: it is done, or the batch has ended.
 */
export async function takeItem(batchId: string, position: number): Promise<boolean> {
  const sql = `UPDATE batch_items SET outcome = 'done', given = NULL
    WHERE batch_id = :batchId AND position = :position AND outcome IS NULL
      AND EXISTS (SELECT 1 FROM batches WHERE id = :batchId AND finished_at IS NULL) RETURNING position`;
  return (await write(sql, { batchId, position })).length > 0;
}

/** Notes in the same transaction that nothing had to be changed for an item. */
export async function noteAlready(batchId: string, position: number): Promise<void> {
  const sql = `UPDATE batch_items SET outcome = 'already' WHERE batch_id = :batchId AND position = :position`;
  await write(sql, { batchId, position });
}

/** Notes that an item of a batch was refused, unless another process has done it meanwhile. */
export async function noteRefused(
  batchId: string,
  position: number,
  reason: string,
): Promise<void> {
  const sql = `UPDATE batch_items SET outcome = 'refused', given = NULL, reason = :reason
    WHERE batch_id = :batchId AND position = :position AND outcome IS NULL`;
  await write(sql, { batchId, position, reason });
}

/** Ends a batch, with the reason if it ends early. False: it has ended already. */
export async function endBatch(
  id: string,
  stopped: string | null,
  now: Date,
  event?: AuditEntry,
): Promise<boolean> {
  const sql =
    'UPDATE batches SET finished_at = :now, stopped = :stopped WHERE id = :id AND finished_at IS NULL RETURNING id';
  const then = event ? [auditing(event, now)] : [];
  return (await writeTogether({ sql, params: { id, stopped, now } }, then)).length > 0;
}

export type WaitingBatch = Waiting & { id: string };

const waiting = waitingTable<WaitingBatch>({
  table: 'batches',
  key: ['id'],
  columns: [],
  waits: 'finished_at IS NULL',
  // One at a time, so that a short batch gets its turn between two pieces of a long one.
  batch: 1,
});

/** The batches under way; `stopped` is the reason stored for one that is given up. */
export const waitingBatches = (stopped: string): WaitingTable<WaitingBatch> => ({
  ...waiting,
  drop: async () => {},
  giveUp: async ({ id }) => {
    await endBatch(id, stopped, new Date());
  },
});

/** A piece is done: any running process takes the next one, from `from` on. */
export async function takeTurns({ id, attempts }: WaitingBatch, from: Date): Promise<void> {
  const sql =
    'UPDATE batches SET attempts = 0, next_at = :from WHERE id = :id AND attempts = :attempts';
  await write(sql, { id, attempts, from });
}
