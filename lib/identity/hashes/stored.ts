import type { Work } from './hash.ts';
import { readHash } from './table.ts';

/**
 * Our own bcrypt hashes are stored as they are. Other hashes get a prefix of fixed length that
 * names their cost, so an index can list the schemes in use without reading every user.
 */
const ownMark = 'v1:';
const ownBcrypt = `${ownMark}$2`;
const mark = 'h:';
const workLength = 40;

/** The stored form of a hash. @throws if its scheme is unknown */
export function storedForm(text: string): string {
  if (text.startsWith(ownBcrypt)) return text;
  const work = readHash(text)?.work;
  if (!work) throw new Error('A hash of no known scheme cannot be stored.');
  return mark + `${work.kind} ${work.amount}`.padEnd(workLength - mark.length) + text;
}

export const hashTextOf = (stored: string): string =>
  stored.startsWith(mark) ? stored.slice(workLength) : stored;

export const isOwn = (stored: string): boolean => hashTextOf(stored).startsWith(ownMark);

/**
 * The work that a stored hash takes: from its prefix or, for our own bcrypt, from the hash itself.
 */
export function workIn(stored: string): Work | null {
  if (!stored.startsWith(mark)) return workOfOwn(stored);
  const [kind, amount] = stored.slice(mark.length, workLength).trim().split(' ');
  return kind && amount ? { kind, amount: Number(amount) } : null;
}

const workOfOwn = (stored: string) =>
  stored.startsWith(ownBcrypt) ? (readHash(stored)?.work ?? null) : null;

export function dearest(works: readonly (Work | null)[]): Work[] {
  const most = new Map<string, number>();
  for (const work of works)
    if (work) most.set(work.kind, Math.max(work.amount, most.get(work.kind) ?? 0));
  return [...most].map(([kind, amount]) => ({ kind, amount }));
}
