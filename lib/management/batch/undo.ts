import { needOf } from '../../identity/guards.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { may } from '../../people/roles.ts';
import { eventBy } from '../../store/actor.ts';
import { keptItems, storeUndo } from '../../store/batch-undo.ts';
import { mostUnderWay } from '../../store/batches.ts';
import { type By, NotAllowed } from '../act.ts';
import { refuseAdmin } from '../refusal.ts';
import { type BatchSoFar, demand, givenTo, joining, madeBy, showBatch } from './batches.ts';
import { type Operation, operationNamed, type Undoing, undoName } from './operations.ts';
import { batches } from './run.ts';
import { whyLeftAlone } from './undo-item.ts';

/** Someone whom undoing would leave alone, and why. */
type LeftAlone = { id: string; name: string; why: Sentence };
export type UndoPlan = { batch: BatchSoFar; people: number; leftAlone: LeftAlone[] };

/**
 * What undoing a batch would change now: for how many people, and who would be left alone.
 * @throws AdminRefusal if it cannot be undone, NotAllowed
 */
export async function planUndo(id: string, by: By): Promise<UndoPlan> {
  const { batch, undo } = await undoable(id, by);
  const items = await keptItems(id);
  const states = await undo.state.read(
    items.map(({ subject }) => subject),
    batch.given,
  );
  const leftAlone = items.flatMap((item) => {
    const { subject, label: name } = item;
    const why = whyLeftAlone(undo, item, states.get(subject), by);
    return why ? [{ id: subject, name, why }] : [];
  });
  return { batch, people: items.length - leftAlone.length, leftAlone };
}

/**
 * Starts undoing a batch in the background, as a batch of its own. Each person is looked at again
 * when their turn comes.
 * @throws AdminRefusal if it cannot be undone, NotAllowed
 */
export async function startUndo(id: string, by: By): Promise<BatchSoFar> {
  const { batch, operation, undo } = await undoable(id, by);
  for (const act of [operation.act, undo.act]) demand(act, by);
  by.demandFresh(operation.noun);
  const actor = joining(by);
  const given = { ...batch.given, undone: batch.operation };
  const made = { ...madeBy(actor), operation: undoName, given, note: null, chosen: null };
  const detail = { operation: batch.operation, count: batch.progress.kept, undoes: id };
  const eventOf = (batch: string) =>
    eventBy(actor, 'batch.undone', { detail: { batch, ...detail } });
  const undoId = await storeUndo({ ...made, undoes: id }, eventOf, by.now);
  if (undoId === 'full')
    refuseAdmin(null, sentence('refused.undo.full', { most: mostUnderWay }), 'full');
  batches.soon();
  return showBatch(undoId, by);
}

type Undoable = { batch: BatchSoFar; operation: Operation; undo: Undoing };

async function undoable(id: string, by: By): Promise<Undoable> {
  const batch = await showBatch(id, by);
  const operation = operationNamed(batch.operation);
  if (!operation || operation.undo === 'never')
    return refuseAdmin('batch', sentence('refused.undo.never'), 'conflict');
  const { undo } = operation;
  for (const act of [operation.act, undo.act])
    if (!may(by.role, needOf(act.may).permission))
      throw new NotAllowed(`The role ${by.role} may not undo this.`);
  if (!batch.finishedAt) refuseAdmin('batch', sentence('refused.undo.goesOn'), 'conflict');
  if (batch.progress.kept === 0) refuseAdmin('batch', sentence('refused.undo.done'), 'conflict');
  await givenTo(operation, batch.given.group);
  return { batch, operation, undo };
}
