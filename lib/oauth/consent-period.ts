import type { Client } from './client.ts';
import { addSeconds } from './token-request.ts';

/** How long a user lets an app in: until they remove it, for a month, or for one access token. */
const consentPeriods = ['until-removed', 'month', 'once'] as const;
export type ConsentPeriod = (typeof consentPeriods)[number];

/** One more question at each app that an admin made would not be read. */
export const asksForHowLong = ({ origin }: Pick<Client, 'origin'>): boolean => origin !== 'admin';

/** Seconds. */
const consentMonth = 30 * 24 * 3600;

/** The period that a form names; null: there is no such period. */
export function readConsentPeriod(said: string | undefined): ConsentPeriod | null {
  return consentPeriods.find((period) => period === said) ?? null;
}

/**
 * When a grant ends after a decision; null: when the user removes it. The latest decision counts,
 * except that letting an app in only once does not shorten a longer grant.
 * @param life seconds until the only access token has expired
 */
export function grantEnd(
  period: ConsentPeriod,
  held: { endsAt: Date | null } | null,
  life: number,
  now: Date,
): Date | null {
  if (period === 'until-removed') return null;
  if (period === 'month') return addSeconds(now, consentMonth);
  const end = addSeconds(now, life);
  if (held === null) return end;
  return held.endsAt === null || held.endsAt > end ? held.endsAt : end;
}

export const hasGrantEnded = ({ endsAt }: { endsAt: Date | null }, now: Date): boolean =>
  endsAt !== null && endsAt <= now;
