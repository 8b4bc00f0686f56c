import bcrypt from 'bcryptjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBcrypt } from '#lib/identity/hashes/bcrypt.ts';
import { storedForm } from '#lib/identity/hashes/stored.ts';
import { hashPassword, verifyPassword } from '#lib/identity/passwords.ts';
import { signIn } from '#lib/identity/sign-in.ts';
import { write } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { blanks } from './blanks.ts';
import { filesThatUse } from './doors.ts';

const request = {
  id: 'r',
  method: 'POST',
  path: '/login/submit',
  query: '',
  address: '192.0.2.1',
  header: () => undefined,
} as unknown as Parameters<typeof signIn>[0];
const enter = (login: string, word: string) =>
  signIn(request, { login, password: word }, new Date());
const withBlank = (blank: string) => `pass${blank}phrase of${blank}mine`;
const usual = withBlank(' ');

onEachDatabase(() => {
  beforeAll(() => {
    process.env.BCRYPT_COST = '4';
  });

  describe.each(blanks)('$why', ({ blank }) => {
    const typed = withBlank(blank);

    test('is U+0020 in a password (RFC 8265 section 4.2.1)', async () => {
      for (const [set, said] of [
        [typed, usual],
        [usual, typed],
        [typed, typed],
      ] as const)
        expect(await verifyPassword(said, await hashPassword(set))).toBe(true);
      expect(await verifyPassword(typed.replaceAll(blank, ''), await hashPassword(typed))).toBe(
        false,
      );
    });

    test('in a password of an earlier release or another program still signs in, then any blank does', async () => {
      await write('DELETE FROM throttles', []);
      for (const made of [makeBcrypt(typed, 4), storedForm(bcrypt.hashSync(typed, 4))]) {
        const { id, username } = await newUser();
        await write('UPDATE users SET password_hash = $2 WHERE id = $1', [id, made]);
        expect(await enter(username, usual)).toBe('wrong');
        expect(await enter(username, typed)).toHaveProperty('user.id', id);
        expect((await findUser(id))?.passwordHash).not.toBe(made);
        expect(await enter(username, usual)).toHaveProperty('user.id', id);
      }
    });
  });

  test('two spellings of a password take the same work for everybody', async () => {
    const word = 'wrong\u00a0word';
    const workOnce = async (stored: string | null) => {
      const before = process.cpuUsage();
      await verifyPassword(word, stored);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const work = async (stored: string | null) => {
      const tries = [await workOnce(stored), await workOnce(stored), await workOnce(stored)];
      return Math.min(...tries);
    };
    const stored = makeBcrypt(word, 11);
    const { id } = await newUser();
    await write('UPDATE users SET password_hash = $2 WHERE id = $1', [id, stored]);
    const share = (await work(stored)) / (await work(null));
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(1.5);
  });
});

test('blanks of passwords are folded where they are hashed, compared and looked up', () => {
  expect(filesThatUse('foldBlanks', 'lib/identity/hashes/hash.ts')).toEqual([
    'lib/identity/hashes/table.ts',
    'lib/identity/password-rules.ts',
    'lib/identity/passwords.ts',
  ]);
});
