import type { Client } from './client.ts';
import { later } from './token-request.ts';

/** How long somebody lets an app in: until they remove it, for a month, or for one access token. */
const consentPeriods = ['until-removed', 'month', 'once'] as const;
export type ConsentPeriod = (typeof consentPeriods)[number];

/**
 * Whether people choose for how long. Apps that an admin made are part of the place, and a question
 * more at each of them is one that nobody reads.
 */
export const asksForHowLong = ({ origin }: Pick<Client, 'origin'>): boolean => origin !== 'admin';

/** Seconds. */
const consentMonth = 30 * 24 * 3600;

/** The period that a form names; null: none that there is. */
export function readConsentPeriod(said: string | undefined): ConsentPeriod | null {
  return consentPeriods.find((period) => period === said) ?? null;
}

/**
 * When a grant ends after a decision; null: when its user removes it. The latest decision counts,
 * but once more takes nothing from what was given for longer.
 * @param life seconds until the only access token has ended
 */
export function grantEnd(
  period: ConsentPeriod,
  held: { endsAt: Date | null } | null,
  life: number,
  now: Date,
): Date | null {
  if (period === 'until-removed') return null;
  if (period === 'month') return later(now, consentMonth);
  const end = later(now, life);
  if (held === null) return end;
  return held.endsAt === null || held.endsAt > end ? held.endsAt : end;
}

/** Whether the time of a grant is over. */
export const isOver = ({ endsAt }: { endsAt: Date | null }, now: Date): boolean =>
  endsAt !== null && endsAt <= now;
