import { operationNames } from '#lib/management/batch/operations.ts';
import type { Text } from '#lib/messages/text.ts';
import type { Batch } from '#lib/store/batches.ts';
import { knownOption } from '../../../params.ts';

/** A short name for a bulk action. */
export function operationLabel(text: Text, operation: string): string {
  const known = knownOption(operationNames, operation);
  return known ? text(`batches.operations.${known}`) : operation;
}

type Named = Pick<Batch, 'operation' | 'given' | 'undoes'>;

/** The same for one that was started, which may undo another one. */
export const batchLabel = (text: Text, { operation, given, undoes }: Named): string =>
  undoes === null
    ? operationLabel(text, operation)
    : text('batches.undoOf', { what: operationLabel(text, given.undone ?? operation) });

/** Its name with the number of people, such as "Disable 20 people". */
export function batchTitle(text: Text, batch: Named & Pick<Batch, 'total'>): string {
  const { operation, undoes, total: count } = batch;
  const known = undoes === null && knownOption(operationNames, operation);
  return known ? text(`batches.confirm.${known}`, { count }) : batchLabel(text, batch);
}
