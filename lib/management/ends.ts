import { sentence } from '../messages/sentence.ts';
import { soonestEnd } from '../store/ends.ts';
import { refuseAdmin } from './refusal.ts';

const year = 365 * 24 * 3600_000;
const furthest = { years: 20, at: 20 * year };

/**
 * Checks the moment at which something is to end by itself.
 * @throws AdminRefusal at `ends_at` if it is over, or so far away that it must be a mistake
 */
export function checkEnd(endsAt: Date | null | undefined, now: Date): void {
  if (!endsAt) return;
  const ahead = endsAt.getTime() - now.getTime();
  const said = endsAt.toISOString();
  if (ahead < soonestEnd) refuseAdmin('ends_at', sentence('refused.end.past', { said }));
  if (ahead > furthest.at)
    refuseAdmin('ends_at', sentence('refused.end.far', { said, years: furthest.years }));
}
