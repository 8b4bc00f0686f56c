import { type Sentence, sentence } from '../../messages/sentence.ts';
import { takeKept } from '../../store/batch-undo.ts';
import type { Batch, BatchItem, State } from '../../store/batches.ts';
import { soonestEnd } from '../../store/ends.ts';
import { type By, perform } from '../act.ts';
import { AdminRefusal } from '../refusal.ts';
import { operationNamed, type Undoing } from './operations.ts';

/**
 * Undoes one item within the transaction of its batch, through the act that does so for one person.
 * @throws AdminRefusal if the person is left alone, or whatever the act throws
 */
export async function undoItem(batch: Batch, item: BatchItem, by: By): Promise<void> {
  const undo = operationNamed(batch.given.undone ?? '')?.undo ?? 'never';
  if (undo === 'never' || !item.kept || batch.undoes === null)
    throw new Error(`Nothing is kept by which item ${item.position} could be undone.`);
  const states = await undo.state.read([item.subject], batch.given);
  const why = whyLeftAlone(undo, item, states.get(item.subject), by);
  if (why) throw new AdminRefusal(null, why);
  if (!(await takeKept(batch.id, batch.undoes, item.position)))
    throw new AdminRefusal(null, sentence('refused.undo.done'));
  await perform(undo.act, undo.said(item, batch.given, item.kept), by);
  await undo.state.complete?.(item.subject, item.kept.before, batch.given);
}

/** Why someone is left alone; null: it can be undone. @param current undefined: they are deleted */
export function whyLeftAlone(
  { gives, ends }: Undoing,
  { subject, kept }: BatchItem,
  current: State | undefined,
  { actor, now }: Pick<By, 'actor' | 'now'>,
): Sentence | null {
  if (!current || !kept) return sentence('refused.undo.gone');
  const isSame = Object.entries(kept.after).every(([name, value]) => current[name] === value);
  if (!isSame) return sentence('refused.undo.changed');
  const { endsAt } = kept.before;
  if (gives && typeof endsAt === 'number' && endsAt < now.getTime() + soonestEnd)
    return sentence('refused.undo.ended');
  return ends && subject === actor.id ? sentence('refused.batch.self') : null;
}
