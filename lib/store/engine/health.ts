import { once } from '../../once.ts';

/** `writesFail`: why the last write failed, if it did. */
type Health = { away: number; writtenAt: number; writesFail: false | 'away' | 'full' };

const health = () =>
  once('store-health', (): Health => ({ away: 0, writtenAt: 0, writesFail: false }));

/**
 * How often this process has found the database away. Two readings that differ mean that it was
 * away in between.
 */
export const timesAway = (): number => health().away;

export function noteAway(): void {
  health().away += 1;
}

/** Records a successful write. */
export function noteWritten(): void {
  Object.assign(health(), { writtenAt: Date.now(), writesFail: false });
}

/** Records a failed write. Unless the data was at fault, others will fail too. */
export function noteWriteFailed(error: unknown): void {
  const { name, isFull } = (error ?? {}) as { name?: unknown; isFull?: unknown };
  if (name === 'DatabaseAway') health().writesFail = isFull ? 'full' : 'away';
}

/**
 * When the database last took a write, in milliseconds since 1970, and why a write has failed
 * since.
 */
export const lastWrite = (): Readonly<Pick<Health, 'writtenAt' | 'writesFail'>> => health();
