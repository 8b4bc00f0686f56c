import { plainColumns } from '#lib/management/import/columns.ts';
import type { Text } from '#lib/messages/text.ts';
import { oneOf } from '../../../params.ts';

/** What a column of a list says, as people read it; fields of one's own have labels of theirs. */
export function columnLabel(text: Text, column: string, label: string | null): string {
  const plain = oneOf(plainColumns, column);
  return plain ? text(`import.means.${plain}`) : (label ?? column);
}
