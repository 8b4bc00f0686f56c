import { once } from '../once.ts';

type Health = { away: number; writtenAt: number; writesFail: boolean };

const health = () => once<Health>('store-health', () => ({ away: 0, writtenAt: 0, writesFail: false }));

/** How often the database was found away by this process; two readings tell whether it was in between. */
export const timesAway = (): number => health().away;

export function noteAway(): void {
  health().away += 1;
}

/** The database has taken a write. */
export function noteWritten(): void {
  Object.assign(health(), { writtenAt: Date.now(), writesFail: false });
}

/** The database has not taken a write, and not because of what was written. */
export function noteWriteFailed(): void {
  health().writesFail = true;
}

export const lastWrite = (): Readonly<Pick<Health, 'writtenAt' | 'writesFail'>> => health();
