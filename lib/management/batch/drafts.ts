import { sentence } from '../../messages/sentence.ts';
import { mostDrafts, storeDraft } from '../../store/import-drafts.ts';
import type { By } from '../act.ts';
import { refuseAdmin } from '../refusal.ts';

/**
 * Keeps for a day what was read, so that it can be looked at before it is used. Returns its id.
 * @throws AdminRefusal
 */
export async function keepDraft(read: object, { actor, now }: By): Promise<string> {
  const id = await storeDraft({ madeBy: actor.id, lines: JSON.stringify(read) }, now);
  return id === 'full'
    ? refuseAdmin(null, sentence('refused.import.full', { most: mostDrafts }), 'full')
    : id;
}

/** @throws AdminRefusal always */
export const refuseGone = (): never =>
  refuseAdmin('import', sentence('refused.import.gone'), 'missing');
