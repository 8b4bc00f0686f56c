import { expect, test } from 'vitest';
import { RevisionCache, raiseRevision, readRevision } from '#lib/store/engine/revision.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

onEachDatabase(() => {
  test('a cached value is loaded once per revision, and again after the revision changed', async () => {
    const cache = new RevisionCache<number>(10);
    let loads = 0;
    const get = async () => cache.get('key', await readRevision(), async () => ++loads);
    expect([await get(), await get()]).toEqual([1, 1]);
    await raiseRevision();
    expect([await get(), await get()]).toEqual([2, 2]);
  });

  test('a revision never repeats, and is a safe integer', async () => {
    const seen = new Set<number>();
    for (let each = 0; each < 50; each += 1) {
      await raiseRevision();
      seen.add(await readRevision());
    }
    expect(seen.size).toBe(50);
    expect([...seen].every(Number.isSafeInteger)).toBe(true);
  });

  test('a value loaded after a change is not cached for the revision before it', async () => {
    const cache = new RevisionCache<string>(10);
    const before = await readRevision();
    const late = async () => {
      await raiseRevision();
      return 'new';
    };
    expect(await cache.get('key', before, late)).toBe('new');
    // A restore brings back the old revision, and the old contents with it.
    expect(await cache.get('key', before, async () => 'old')).toBe('old');
  });
});
