import { once } from '../once.ts';

type Health = { away: number; writtenAt: number; writesFail: boolean };

const health = () =>
  once('store-health', (): Health => ({ away: 0, writtenAt: 0, writesFail: false }));

/** How often this process has found the database away; two readings tell whether it was in between. */
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
  if ((error as { name?: unknown } | null)?.name === 'DatabaseAway') health().writesFail = true;
}

/** When the database took the last write, in milliseconds since 1970, and whether one has failed since. */
export const lastWrite = (): Readonly<Pick<Health, 'writtenAt' | 'writesFail'>> => health();
