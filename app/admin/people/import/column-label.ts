import { plainColumns } from '#lib/import/columns.ts';
import type { Text } from '#lib/messages/text.ts';
import { knownOption } from '../../../params.ts';

/** The name that people read for a column of a list; custom fields have their own labels. */
export function columnLabel(text: Text, column: string, label: string | null): string {
  const plain = knownOption(plainColumns, column);
  return plain ? text(`import.means.${plain}`) : (label ?? column);
}
