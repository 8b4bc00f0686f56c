import { expect, test } from 'vitest';
import { readOne } from '#lib/store/engine/database.ts';
import { loadFileOwned, readFileOwned } from '#lib/store/file-owned.ts';
import { unique } from '../management/people.ts';
import { keepInFile, letGoOf } from '../support/kept.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

onEachDatabase(() => {
  test('things that the configuration file manages are stored by kind and key, with immediate effect', async () => {
    const thing = { kind: 'client', key: unique('app') } as const;
    const kept = async (kind: 'client' | 'group' = 'client') =>
      (await readFileOwned()).has(kind, thing.key);
    expect(await kept()).toBe(false);
    await keepInFile(thing, thing);
    expect([await kept(), await kept('group')]).toEqual([true, false]);
    expect((await loadFileOwned()).of('client').filter((key) => key === thing.key)).toHaveLength(1);
    await letGoOf(thing);
    expect(await kept()).toBe(false);
    expect(await readOne('SELECT 1 AS found FROM file_owned WHERE key = $1', [thing.key])).toBe(
      undefined,
    );
  });
});
