import { type Columns, readOne, write } from './engine/database.ts';

/** Pauses after the first, second, … time a key ran out of attempts. */
const pauses = [60_000, 120_000, 240_000, 480_000, 900_000];

/** The longest pause, for messages without the exact wait. */
export const longestPause = 900_000;

/** How long attempts are counted together, in milliseconds. */
export const window = 15 * 60_000;

// PostgreSQL needs to know the type of a parameter in a CASE; SQLite leaves the number as it is.
const pause = (index: number) => `CAST(:pause${index} AS TIMESTAMPTZ)`;
const now = 'CAST(:now AS TIMESTAMPTZ)';
const nextPause = `CASE throttles.blocks WHEN 0 THEN ${pause(0)} WHEN 1 THEN ${pause(1)} WHEN 2 THEN ${pause(2)} WHEN 3 THEN ${pause(3)} ELSE ${pause(4)} END`;

// A pause longer than any we set was started by a clock that was ahead, and does not count.
const blocked = '(throttles.blocked_until > :now AND throttles.blocked_until < :tooLate)';
const over = 'throttles.window_start <= :before';
const full = 'throttles.failures >= :limit';

/**
 * The value that a column gets if the window is over, if it is full, and if the try is counted in
 * it.
 */
type Cases = { over?: string; full?: string; counted?: string };

/**
 * SQL: sets a column according to the first case that holds. While blocked, and in a case without a
 * value, it stays as it is.
 */
function inEachCase(column: string, cases: Cases): string {
  const asItIs = `throttles.${column}`;
  const { over: whenOver = asItIs, full: whenFull = asItIs, counted = asItIs } = cases;
  return `${column} = CASE WHEN ${blocked} THEN ${asItIs} WHEN ${over} THEN ${whenOver} WHEN ${full} THEN ${whenFull} ELSE ${counted} END`;
}

/*
 * One statement, so that parallel guesses are counted one by one. The cases, in order:
 * blocked: a pause is running. Refused, and nothing changes except the account;
 * over: the window has ended. Counted, as the first try of a window that begins now;
 * full: the window has no try left. Refused: a pause begins now, and a window with it;
 * counted: one more in the running window.
 * `total` counts each try that was let through since the last success, which deletes the row.
 * `blocks` counts the pauses since then.
 */
const takeOne = `
  INSERT INTO throttles (key, failures, window_start, blocked_until, blocks, total, user_id) VALUES (:key, 1, :now, :never, 0, 1, :userId)
  ON CONFLICT (key) DO UPDATE SET
    ${inEachCase('failures', { over: '1', full: '0', counted: 'throttles.failures + 1' })},
    ${inEachCase('window_start', { over: now, full: now })},
    ${inEachCase('blocked_until', { full: nextPause })},
    ${inEachCase('blocks', { full: 'throttles.blocks + 1' })},
    ${inEachCase('total', { over: 'throttles.total + 1', counted: 'throttles.total + 1' })},
    user_id = :userId
  RETURNING blocked_until, total, failures, window_start`;

/**
 * A throttle: this many attempts per `key` in 15 minutes, then a pause growing from one minute to
 * fifteen.
 */
export type Counted = {
  key: string;
  limit: number;
  /** The account, if any. */
  userId?: string | null;
};

/**
 * Whether an attempt may be made: the time until which it is refused, or its number since the last
 * success.
 */
export type Try = { refusedUntil: Date } | { total: number };

/** Minutes until then, rounded up. */
export function minutesUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 60_000));
}

/** Counts an attempt before it is made, so parallel attempts can't exceed the limit. */
export async function takeTry(counted: Counted, now: Date): Promise<Try> {
  const taken = await takeFrom(counted, now);
  return 'refusedUntil' in taken ? taken : { total: taken.total };
}

/** An attempt that may be made, and how many more may be until the window ends. */
type Taken = { total: number; left: number; windowEnd: Date };

/** The same, with what is left. */
export async function takeFrom(
  { key, limit, userId = null }: Counted,
  now: Date,
): Promise<{ refusedUntil: Date } | Taken> {
  const at = (offset: number) => new Date(now.getTime() + offset);
  const ends = Object.fromEntries(pauses.map((pause, index) => [`pause${index}`, at(pause)]));
  const never = new Date(0);
  const tooLate = at(2 * longestPause);
  const params = { key, now, before: at(-window), limit, ...ends, never, userId, tooLate };
  const [row] = await write<Row>(takeOne, params);
  const until = row?.blockedUntil ?? never;
  if (until > now && until < tooLate) return { refusedUntil: until };
  const { total = 0, failures = 0, windowStart = now } = row ?? {};
  const windowEnd = new Date(windowStart.getTime() + window);
  return { total, left: Math.max(0, limit - failures), windowEnd };
}

type Row = Columns<'throttles', 'blockedUntil' | 'total' | 'failures' | 'windowStart'>;

/** Counts an attempt under several keys, widest first, or under none if one refuses. */
export async function takeTries(counted: readonly Counted[], now: Date): Promise<Try> {
  let taken: Try = { total: 0 };
  for (const [index, each] of counted.entries()) {
    taken = await takeTry(each, now);
    if (!('refusedUntil' in taken)) continue;
    for (const { key } of counted.slice(0, index)) await giveBackTry(key);
    return taken;
  }
  return taken;
}

/** Like `takeTry`, with less detail. */
export async function takeThrottledTry(
  key: string,
  limit: number,
  now: Date,
): Promise<'allowed' | 'refused'> {
  return 'refusedUntil' in (await takeTry({ key, limit }, now)) ? 'refused' : 'allowed';
}

/** When the pause of a key ends, or null. */
export async function blockedUntil(key: string): Promise<Date | null> {
  const row = await readOne<Columns<'throttles', 'blockedUntil'>>(
    'SELECT blocked_until FROM throttles WHERE key = :key',
    { key },
  );
  return row?.blockedUntil ?? null;
}

/** How many attempts were counted under a key since its last success. */
export async function triesCounted(key: string): Promise<number> {
  const sql = 'SELECT total FROM throttles WHERE key = :key';
  return (await readOne<Columns<'throttles', 'total'>>(sql, { key }))?.total ?? 0;
}

/** Resets the key after a success. */
export async function clearThrottle(key: string): Promise<void> {
  await write('DELETE FROM throttles WHERE key = :key', { key });
}

/** Returns an attempt that wasn't a failure. */
export async function giveBackTry(key: string): Promise<void> {
  const only = 'DELETE FROM throttles WHERE key = :key AND total <= 1 AND blocks = 0 RETURNING key';
  if ((await write(only, { key })).length > 0) return;
  await write(
    'UPDATE throttles SET failures = failures - 1, total = total - 1 WHERE key = :key AND failures > 0',
    { key },
  );
}
