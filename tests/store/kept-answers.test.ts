import { expect, test } from 'vitest';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { write } from '#lib/store/engine/database.ts';
import { reserveFormAnswer } from '#lib/store/form-answers.ts';
import { fillAnswer, findKeptAnswer, reserveAnswer } from '#lib/store/kept-answers.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const now = new Date();
const later = (hours: number) => new Date(now.getTime() + hours * 3600_000);

async function keepTenThousand(caller: string, until: Date): Promise<void> {
  const digits =
    '(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';
  const rows = ['a', 'b', 'c', 'e'].map((name) => `${digits} AS ${name}`).join(' CROSS JOIN ');
  const sql = `INSERT INTO kept_answers (hash, caller, request, answer, expires_at)
    SELECT '${caller} ' || (1000 * a.d + 100 * b.d + 10 * c.d + e.d), '${caller}', '', '', CAST($1 AS TIMESTAMPTZ) FROM ${rows} RETURNING hash`;
  expect(await write(sql, [until])).toHaveLength(10_000);
}

onEachDatabase(() => {
  test('an answer kept for an Idempotency-Key is valid for a day, then replaced or deleted', async () => {
    expect(await reserveAnswer('a', 'key:1', 'asked', now)).toBe('reserved');
    await fillAnswer('a', 'sealed');
    expect(await findKeptAnswer('a', later(23.9))).toEqual({ request: 'asked', answer: 'sealed' });
    expect(await reserveAnswer('a', 'key:1', 'else', later(23.9))).toBe('taken');
    expect(await findKeptAnswer('a', later(24))).toBeNull();
    expect(await reserveAnswer('a', 'key:1', 'else', later(24))).toBe('reserved');
    await deleteExpired(later(49));
    expect(await reserveAnswer('a', 'key:1', 'again', now)).toBe('reserved');
  });

  test('the number of kept answers is limited for each caller, independently of other callers', async () => {
    await keepTenThousand('key:2', later(24));
    expect(await reserveAnswer('b', 'key:2', 'asked', now)).toBe('full');
    expect(await reserveAnswer('b', 'key:3', 'asked', now)).toBe('reserved');
  });

  test('the number of answers to forms is limited, because strangers can send forms', async () => {
    expect(await reserveFormAnswer('first', now)).toBe('reserved');
    await keepTenThousand('form', later(0));
    expect(await reserveFormAnswer('first', now)).toBe('taken');
    expect(await reserveFormAnswer('one-more', now)).toBe('full');
    await deleteExpired(later(1));
    expect(await reserveFormAnswer('one-more', now)).toBe('reserved');
  });

  test('the total size of kept answers is limited for each caller', async () => {
    const long = 'x'.repeat(11 << 20);
    for (const hash of ['l1', 'l2', 'l3']) {
      expect(await reserveAnswer(hash, 'key:4', 'asked', now)).toBe('reserved');
      await fillAnswer(hash, long);
    }
    expect(await reserveAnswer('l4', 'key:4', 'asked', now)).toBe('full');
    expect(await reserveAnswer('l4', 'key:5', 'asked', now)).toBe('reserved');
    await deleteExpired(later(25));
    expect(await reserveAnswer('l1', 'key:4', 'asked', later(25))).toBe('reserved');
  });
});
