import { operationNames } from '#lib/management/batch/operations.ts';
import type { Text } from '#lib/messages/text.ts';
import { knownOption } from '../../../params.ts';

/** A short name for a bulk action. */
export function operationLabel(text: Text, operation: string): string {
  const known = knownOption(operationNames, operation);
  return known ? text(`batches.operations.${known}`) : operation;
}

/** The name of a bulk action with the number of people, such as "Disable 20 people". */
export function operationTitle(text: Text, operation: string, count: number): string {
  const known = knownOption(operationNames, operation);
  return known ? text(`batches.confirm.${known}`, { count }) : operation;
}
