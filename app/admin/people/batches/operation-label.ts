import { operationNames } from '#lib/management/batch/operations.ts';
import type { Text } from '#lib/messages/text.ts';
import { oneOf } from '../../../params.ts';

/** What is done to many, in a word or two. */
export function operationLabel(text: Text, operation: string): string {
  const known = oneOf(operationNames, operation);
  return known ? text(`batches.operations.${known}`) : operation;
}
