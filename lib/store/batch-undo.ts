import { newId } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  type BatchItem,
  itemsOf,
  type Kept,
  roomForOne,
  storingBatch,
  type ToStore,
} from './batches.ts';
import { write, writeTogether } from './engine/database.ts';

/** Keeps what an item changed, in the same transaction. */
export async function keepState(batchId: string, position: number, kept: Kept): Promise<void> {
  const sql =
    'UPDATE batch_items SET kept = :kept WHERE batch_id = :batchId AND position = :position';
  await write(sql, { batchId, position, kept: JSON.stringify(kept) });
}

/** The items of a batch that can still be undone, in their order. */
export const keptItems = (batchId: string): Promise<BatchItem[]> =>
  itemsOf(batchId, 'kept IS NOT NULL ORDER BY position');

/** Whether a batch is being undone at this moment. */
const underWay = 'EXISTS (SELECT 1 FROM batches WHERE undoes = :undoes AND finished_at IS NULL)';

/**
 * Stores a batch that undoes another one, and gives its id. Its items are those of the other batch
 * that can still be undone, at the same positions. `full`: too many are under way, or this one is.
 */
export async function storeUndo(
  batch: ToStore & { undoes: string },
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<string | 'full'> {
  const id = newId(now);
  const { undoes } = batch;
  const kept = 'FROM batch_items WHERE batch_id = :undoes AND kept IS NOT NULL';
  const total = { sql: `CAST((SELECT count(*) ${kept}) AS INTEGER)`, params: {} };
  const first = storingBatch(
    { ...batch, id },
    total,
    `WHERE ${roomForOne} AND NOT ${underWay}`,
    now,
  );
  const sql = `INSERT INTO batch_items (batch_id, position, subject, label, kept) SELECT :id, position, subject, label, kept ${kept}`;
  const hold = { sql: 'SELECT id FROM batches WHERE id = :undoes FOR UPDATE', params: { undoes } };
  const then = [{ sql, params: { id, undoes } }, auditing(eventOf(id), now)];
  return (await writeTogether(first, then, [hold])).length > 0 ? id : 'full';
}

/**
 * Notes that an item is undone, in the same transaction. False: it has been before, or is no longer
 * kept.
 */
export async function takeKept(undo: string, undoes: string, position: number): Promise<boolean> {
  const sql = `UPDATE batch_items SET kept = NULL
    WHERE batch_id IN (:undo, :undoes) AND position = :position AND kept IS NOT NULL RETURNING batch_id`;
  return (await write(sql, { undo, undoes, position })).length === 2;
}
