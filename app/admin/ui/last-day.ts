import { dayAfter, dayOf, startOfDay, zoneNamed } from '#lib/messages/zone.ts';
import { textOf } from '../act.ts';

/** The last day, in a time zone, on which something is good that ends at this moment. */
export const lastDayOf = (endsAt: Date, zone: string): string =>
  dayOf(new Date(endsAt.getTime() - 1), zone);

/**
 * The moment at which the day in a form's `EndField` is over; null if it is empty. What is no day
 * stays as it is, for the act to refuse.
 */
export function endIn(form: FormData): string | null {
  const day = textOf(form, 'ends_at').trim();
  const end = startOfDay(dayAfter(day), zoneNamed(textOf(form, 'zone')));
  return end?.toISOString() ?? (day || null);
}
