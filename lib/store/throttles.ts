import { date, readOne, write } from './database.ts';

/** Pauses after the first, second, … time a key ran out of tries. */
const pauses = [60_000, 120_000, 240_000, 480_000, 900_000];

/** What a person is told to wait, who is not told more. */
export const longestPause = 900_000;

const window = 15 * 60_000;

/*
 * One statement, so that guesses in parallel count one by one. While blocked nothing changes;
 * a window that is over begins anew; a full one blocks; else the try is counted.
 */
// PostgreSQL wants to be told the type of a parameter in a CASE; SQLite leaves the number as it is.
const pause = (index: number) => `CAST($${index} AS TIMESTAMPTZ)`;
const now = 'CAST($2 AS TIMESTAMPTZ)';
const blocked = 'throttles.blocked_until > $2';
const over = 'throttles.window_start <= $3';
const full = 'throttles.failures >= $4';
const takeTry = `
  INSERT INTO throttles (key, failures, window_start, blocked_until, blocks) VALUES ($1, 1, $2, $10, 0)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN ${blocked} THEN throttles.failures WHEN ${over} THEN 1 WHEN ${full} THEN 0 ELSE throttles.failures + 1 END,
    window_start = CASE WHEN ${blocked} THEN throttles.window_start WHEN ${over} OR ${full} THEN ${now} ELSE throttles.window_start END,
    blocked_until = CASE WHEN ${blocked} OR ${over} OR NOT (${full}) THEN throttles.blocked_until
      ELSE CASE throttles.blocks WHEN 0 THEN ${pause(5)} WHEN 1 THEN ${pause(6)} WHEN 2 THEN ${pause(7)} WHEN 3 THEN ${pause(8)} ELSE ${pause(9)} END END,
    blocks = CASE WHEN ${blocked} OR ${over} OR NOT (${full}) THEN throttles.blocks ELSE throttles.blocks + 1 END
  RETURNING CASE WHEN blocked_until > $2 THEN 1 ELSE 0 END AS refused`;

/**
 * Counts a try before it is made, so that parallel tries cannot exceed the limit: `limit` in
 * 15 minutes, then a pause that grows from one minute to fifteen.
 */
export async function takeThrottledTry(
  key: string,
  limit: number,
  now: Date,
): Promise<'allowed' | 'refused'> {
  const at = (offset: number) => new Date(now.getTime() + offset);
  const ends = pauses.map(at);
  const never = new Date(0);
  const [row] = await write(takeTry, [key, now, at(-window), limit, ...ends, never]);
  return Number(row?.refused) === 1 ? 'refused' : 'allowed';
}

/** When the pause of a key ends; null: it has none. */
export async function blockedUntil(key: string): Promise<Date | null> {
  const row = await readOne('SELECT blocked_until FROM throttles WHERE key = $1', [key]);
  return row ? date(row.blocked_until) : null;
}

/** A success: the key starts from nothing. */
export async function clearThrottle(key: string): Promise<void> {
  await write('DELETE FROM throttles WHERE key = $1', [key]);
}

/** A try that turned out not to be a failure. */
export async function giveBackTry(key: string): Promise<void> {
  await write('UPDATE throttles SET failures = failures - 1 WHERE key = $1 AND failures > 0', [
    key,
  ]);
}
