import { isAdminRefusal } from '#lib/management/is-refusal.ts';
import type { Sentence } from '#lib/messages/sentence.ts';

/** What a page shows, or the sentence that says why it was refused. A sentence has a `key`. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Sentence> {
  return work.catch((error: unknown) => {
    if (isAdminRefusal(error)) return error.said;
    throw error;
  });
}
