import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedForm } from '#lib/identity/hashes/stored.ts';
import { readHash } from '#lib/identity/hashes/table.ts';
import { verifyPassword } from '#lib/identity/passwords.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { write } from '#lib/store/engine/database.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { cli, failure, folder } from '../cli/command-line.ts';
import { actor, newPerson, password } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { type Carrying, carriers, carrying } from './carriers.ts';
import { filesThatUse } from './doors.ts';
import { dear, originalPassword, published, refused, spellings, unread } from './hashes.ts';

test('the doors of hashes are these: a plan, what is stored, and the thread that checks', () => {
  expect(filesThatUse('readHash', 'lib/identity/hashes/table.ts')).toEqual([
    'lib/identity/hashes/stored.ts',
    'lib/identity/password-worker.ts',
    'lib/import/judge-arrivals.ts',
  ]);
});

test.each(published)('the hash that $source publishes is read: $text', ({ text, password }) => {
  expect(readHash(text)?.matches(password)).toBe(true);
  expect(readHash(text)?.matches(`${password}.`)).toBe(false);
});

const people = (hashes: readonly { text: string }[]) =>
  hashes.map(({ text }, at) => ({ username: `p${at}`, email: `p${at}@example.org`, hash: text }));

onDatabase('sqlite', () => {
  beforeAll(() => {
    process.env.BCRYPT_COST = '4';
  });
  beforeEach(() => write('DELETE FROM users', []));

  const move = (
    from: Carrying,
    text: string,
    more: { slowSignIns?: boolean; dry?: boolean } = {},
  ) =>
    moveIn(
      readArrivals({ from, text }),
      from,
      { leaveOut: true, agreed: () => !more.dry, slowSignIns: more.slowSignIns },
      { actor, now: new Date() },
    );
  const enters = async (login: string, word: string) =>
    verifyPassword(word, (await findUserByLogin(login))?.passwordHash ?? null);

  describe.each(carrying)('hashes in a file of %s', (from) => {
    test.each(spellings)('$source: the password is known, and no other', async ({ text }) => {
      const { coming } = await move(from, carriers[from](people([{ text }])));
      expect(coming).toHaveLength(1);
      expect(await enters('p0', originalPassword)).toBe(true);
      expect(await enters('p0', `${originalPassword}.`)).toBe(false);
    });

    test.each(unread)(
      '$source: the plan names what is not read, and the person comes without a password',
      async ({ text, scheme }) => {
        const { coming, leftBehind } = await move(from, carriers[from](people([{ text }])), {
          dry: true,
        });
        expect(coming).toMatchObject([{ passwordHash: null, disabled: false }]);
        expect(leftBehind).toEqual([
          {
            who: 'p0@example.org',
            why: scheme
              ? { key: 'refused.move.scheme', values: { scheme } }
              : expect.objectContaining({ key: 'refused.move.noHash' }),
          },
        ]);
      },
    );

    test.each(refused)(
      '$source: parameters that the primitive refuses are refused in the plan, with the line',
      async ({ text }) => {
        const judged = await move(from, carriers[from](people([{ text }])), { dry: true });
        expect(judged.coming).toEqual([]);
        expect(judged.wrong).toMatchObject([
          { who: 'p0@example.org', why: { key: 'refused.move.hash' } },
        ]);
      },
    );

    test('hashes that cost too much together are asked about, and come when that is accepted', async () => {
      const text = carriers[from](people(dear));
      const { cost } = await move(from, text, { dry: true });
      expect(cost).toMatchObject({ isLong: true, tooMany: null });
      expect(cost.after).toBeGreaterThan(2);
      await expect(move(from, text)).rejects.toMatchObject({ said: { key: 'refused.move.slow' } });
      expect((await move(from, text, { slowSignIns: true })).coming).toHaveLength(dear.length);
    });
  });

  test.each(refused)(
    'a stored hash that its primitive refuses fails nobody else’s sign-in: $source',
    async ({ text }) => {
      const bad = await newPerson();
      const other = await newPerson();
      await write('UPDATE users SET password_hash = $2 WHERE id = $1', [bad.id, storedForm(text)]);
      expect(await enters(other.username, password)).toBe(true);
      expect(await enters(other.username, 'wrong')).toBe(false);
      expect(await enters(bad.username, password)).toBe(false);
    },
  );

  test('a file of thousands of kinds of hashes is refused in the plan, and none of them is tried', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => ({
      text: `$argon2id$v=19$m=${200_000 + at},t=4,p=1$c2FsdHNhbHRzYWx0$${'A'.repeat(43)}`,
    }));
    const before = Date.now();
    const { cost } = await move('json', carriers.json(people(many)), { dry: true });
    expect(cost.tooMany).toMatchObject({ key: 'refused.move.kinds' });
    expect(Date.now() - before).toBeLessThan(60_000);
  });
});

describe('the command', () => {
  beforeAll(async () => {
    Object.assign(process.env, {
      DATABASE_URL: await createDatabase('sqlite'),
      SERVER_SECRET: 's'.repeat(32),
      BCRYPT_COST: '4',
    });
  });

  test('import says the price of each sign-in, and wants --slow-sign-ins above a second', async () => {
    writeFileSync(resolve(folder, 'dear.json'), carriers.json(people(dear)));
    const asked = ['import', 'dear.json', '--from', 'json'];
    const planned = await cli([...asked, '--dry-run']);
    expect(planned.stdout).toMatch(/Every sign-in will take about [\d.]+ seconds/);
    expect(await failure([...asked, '--yes'])).toMatch(/every sign-in .* about [\d.]+ seconds/);
    expect((await cli([...asked, '--yes', '--slow-sign-ins'])).code).toBe(0);
  });
});
