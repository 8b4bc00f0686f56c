import type { Actor } from '../../store/actor.ts';
import { type DeletedKind, keepingDeleted } from '../../store/deletions.ts';
import type { Statement } from '../../store/engine/statement.ts';
import { readSettings } from '../../store/settings.ts';

/**
 * The statements that keep what an admin is about to delete for as long as the setting says, so
 * that it can be put back. None if it keeps nothing.
 */
export async function keeping(
  kind: DeletedKind,
  { id, name }: { id: string; name: string },
  actor: Actor,
  now: Date,
): Promise<Statement[]> {
  const { deletedRetentionDays } = await readSettings();
  if (deletedRetentionDays === 0) return [];
  return keepingDeleted({ kind, subject: id, name, madeBy: actor.id }, now);
}
