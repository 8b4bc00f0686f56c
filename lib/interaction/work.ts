import type { WorkLacking } from '../identity/proof-of-work.ts';
import type { MessageKey } from '../messages/keys.ts';
import { minutesUntil } from '../store/throttles.ts';

/** The required work is missing: shows the form again, with the work to be done. */
export function workNotice(
  lacking: WorkLacking,
  now: Date,
): { error: MessageKey; wait?: number; values?: Record<string, string> } {
  if (lacking === 'again') return { error: 'work.again' };
  if ('refusedUntil' in lacking)
    return { error: 'work.throttled', wait: minutesUntil(lacking.refusedUntil, now) };
  const { seconds, text } = lacking;
  return { error: 'work.early', values: { work: text, seconds: String(seconds) } };
}
