import { countsSince } from '../store/overview.ts';
import type { UsageName } from '../store/usage.ts';
import type { Period } from './overview.ts';

const hour = 3600_000;
const day = 24 * hour;

/** The number of bars in each period: hours for a day, else whole days, the last being today. */
const barsOf: Record<Period, number> = { '24h': 24, '7d': 7, '30d': 30 };

/** Sign-ins in an hour or a day, and in the corresponding one of the previous period. */
export type SignInBar = {
  /** When the hour begins. For a day, its date at midnight UTC, whatever the zone. */
  at: Date;
  worked: number;
  failed: number;
  workedBefore: number;
};

export type SignInActivity = {
  bars: SignInBar[];
  worked: number;
  failed: number;
  /** In the previous period, up to the moment that corresponds to now. */
  workedBefore: number;
};

/**
 * Sign-ins in a period that ends now, and in the previous one.
 * @param zone the time zone in which days begin and end, such as `Europe/Berlin`
 */
export async function readSignIns(
  period: Period,
  zone: string,
  now: Date,
): Promise<SignInActivity> {
  const [count, length] = [barsOf[period], period === '24h' ? hour : day];
  const numberOf = period === '24h' ? (at: Date) => Math.floor(at.getTime() / hour) : dayIn(zone);
  const first = numberOf(now) - count + 1;
  const bars = Array.from({ length: count }, (_, index): SignInBar => {
    const at = new Date((first + index) * length);
    return { at, worked: 0, failed: 0, workedBefore: 0 };
  });
  const before = now.getTime() - count * length;
  let workedBefore = 0;
  // One day more, because days begin at other times in other zones.
  for (const { name, hour: at, value } of await countsSince(
    new Date(before - count * length - day),
  )) {
    const index = numberOf(at) - first;
    const kind = kindOf(name, index);
    const bar = bars[kind === 'workedBefore' ? index + count : index];
    if (!kind || !bar) continue;
    bar[kind] += value;
    if (kind === 'workedBefore' && at.getTime() <= before) workedBefore += value;
  }
  const sum = (kind: 'worked' | 'failed') => bars.reduce((total, bar) => total + bar[kind], 0);
  return { bars, worked: sum('worked'), failed: sum('failed'), workedBefore };
}

function kindOf(name: UsageName, index: number): 'worked' | 'failed' | 'workedBefore' | null {
  if (name === 'sign-in') return index < 0 ? 'workedBefore' : 'worked';
  return name === 'sign-in-failed' && index >= 0 ? 'failed' : null;
}

/** Numbers the days of a zone: the calendar day of a moment there, counted from 1970. */
function dayIn(zone: string): (at: Date) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, date = 1] = ['year', 'month', 'day'].map((type) =>
      parts.get(type as Intl.DateTimeFormatPartTypes),
    );
    return Date.UTC(year, month - 1, date) / day;
  };
}
