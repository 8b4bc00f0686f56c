import type { Text } from '#lib/messages/text.ts';
import { readSettings } from '#lib/store/settings.ts';

/** Says, where something is about to be deleted, for how long it can be put back. */
export async function restNote(text: Text): Promise<string> {
  const { deletedRetentionDays: days } = await readSettings();
  return text('deleted.note', { days });
}
