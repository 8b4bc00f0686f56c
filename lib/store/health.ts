import { once } from '../once.ts';

type Health = { away: number; writtenAt: number; writesFail: boolean };

const health = () =>
  once('store-health', (): Health => ({ away: 0, writtenAt: 0, writesFail: false }));

/** How often this process has found the database away; two readings tell whether it was in between. */
export const timesAway = (): number => health().away;

export function noteAway(): void {
  health().away += 1;
}

/** The database has taken a write. */
export function noteWritten(): void {
  Object.assign(health(), { writtenAt: Date.now(), writesFail: false });
}

/** A write has failed: where that was not because of what was written, others will too. */
export function noteWriteFailed(error: unknown): void {
  if ((error as { name?: unknown } | null)?.name === 'DatabaseAway') health().writesFail = true;
}

/** When the database took the last write, in milliseconds since 1970, and whether one has failed since. */
export const lastWrite = (): Readonly<Pick<Health, 'writtenAt' | 'writesFail'>> => health();
