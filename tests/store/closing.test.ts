import { expect, test } from 'vitest';
import { beforeClose, closeStore, read } from '#lib/store/engine/database.ts';
import { count } from '#lib/store/usage.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { workOn } from '../support/work-on.ts';

onEachDatabase(() => {
  test('a failure of one part while the store closes does not lose what other parts still have to write', async () => {
    beforeClose(() => Promise.reject(new Error('of a test')));
    count('refresh', null, new Date());
    await expect(closeStore()).rejects.toThrow('of a test');
    workOn(process.env.DATABASE_URL ?? '');
    expect(await read('SELECT name FROM usage_counters', [])).toContainEqual({ name: 'refresh' });
  });
});
