import { beforeAll, beforeEach, expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { storedForm } from '#lib/identity/hashes/stored.ts';
import { hashPassword, needsRehash, verifyPassword } from '#lib/identity/passwords.ts';
import { signIn } from '#lib/identity/sign-in.ts';
import { write } from '#lib/store/engine/database.ts';
import { findKindsOfPasswords } from '#lib/store/password-kinds.ts';
import { findUser } from '#lib/store/users.ts';
import { databases } from '#lib/tooling/schema.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { newUser, password } from '../support/seed.ts';
import { originalPassword, originals } from './hashes/originals.ts';

type Request = Parameters<typeof signIn>[0];

const request = {
  id: 'r',
  method: 'POST',
  path: '/login/submit',
  query: '',
  address: '192.0.2.1',
  header: () => undefined,
} as unknown as Request;
const enter = (login: string, word: string) =>
  signIn(request, { login, password: word }, new Date());

for (const database of databases) onDatabase(database, () => foreignPasswordTests(database));

function foreignPasswordTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);

  beforeAll(() => {
    process.env.BCRYPT_COST = '4';
  });
  beforeEach(async () => {
    await write('DELETE FROM users', []);
    await write('DELETE FROM throttles', []);
  });

  /** A user with an imported password hash. */
  async function bringAlong(text: string) {
    const user = await newUser();
    const stored = storedForm(text);
    await write('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, stored]);
    return user;
  }
  const hashOf = async (id: string) => (await findUser(id))?.passwordHash ?? '';

  alike('an imported password hash signs in, and is replaced by one of this server', async () => {
    for (const [name, text] of Object.entries(originals)) {
      const { id, username } = await bringAlong(text);
      const before = await hashOf(id);
      expect(await enter(username, `${originalPassword}.`), name).toBe('wrong');
      expect(await hashOf(id)).toBe(before);
      expect(await enter(username, originalPassword), name).toHaveProperty('user.id', id);
      expect(await hashOf(id), name).toMatch(/^v1:\$2b\$04\$/);
      expect(await enter(username, originalPassword), name).toHaveProperty('user.id', id);
    }
  });

  test('each kind of stored password hash is listed once, until its last password is gone', async () => {
    const [django, passlib, sha] = ['Django pbkdf2_sha256', 'passlib pbkdf2-sha256', 'passlib $6$'];
    for (const name of [django, passlib, sha]) await bringAlong(originals[name] ?? '');
    await newUser();
    const kinds = (await findKindsOfPasswords()).map((each) => each.slice(2).trim());
    expect(kinds.sort()).toEqual(['pbkdf2:sha256 1000', 'shacrypt:sha512:16 5000']);
    await write("DELETE FROM users WHERE password_hash LIKE '%$6$%'", []);
    expect(await findKindsOfPasswords()).toHaveLength(1);
  });

  alike(
    'unknown names, own and imported passwords take the work of the dearest stored hash',
    async () => {
      const dear = await bringAlong(
        `$pbkdf2-sha512$400000$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(64).toString('base64')}`,
      );
      const cheap = await bringAlong(originals['passlib {SSHA}'] ?? '');
      const own = await newUser();
      const workOnce = async (stored: string | null) => {
        const before = process.cpuUsage();
        await verifyPassword('wrong', stored);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      // The median of three, within wide bounds: other load on the machine makes the same work
      // slower, but leaving the work out would make it a hundred times faster.
      const work = async (stored: string | null) => {
        const tries = [await workOnce(stored), await workOnce(stored), await workOnce(stored)];
        return tries.sort((one, other) => one - other)[1] ?? 0;
      };
      const unknown = await work(null);
      for (const { id } of [dear, cheap, own]) {
        const known = await work(await hashOf(id));
        expect(known / unknown).toBeGreaterThan(0.4);
        expect(known / unknown).toBeLessThan(2.5);
      }
      const { id, username } = cheap;
      expect(await enter(username, originalPassword)).toHaveProperty('user.id', id);
    },
  );

  alike('PASSWORD_HASH=argon2id makes new hashes, and replaces others at sign-in', async () => {
    const { id, username } = await newUser();
    const bcrypt = await hashOf(id);
    try {
      config().passwordHash = 'argon2id';
      expect(needsRehash(bcrypt, password)).toBe(true);
      expect(await enter(username, password)).toHaveProperty('user.id', id);
      const argon2 = await hashOf(id);
      expect(argon2).toContain('v1:$argon2id$v=19$m=19456,t=2,p=1$');
      expect(needsRehash(argon2, password)).toBe(false);
      expect(await enter(username, `${password}.`)).toBe('wrong');
      expect(await enter(username, password)).toHaveProperty('user.id', id);
      expect(await verifyPassword(password, await hashPassword(password))).toBe(true);
      expect((await findKindsOfPasswords()).map((each) => each.slice(2).trim())).toEqual([
        'argon2:argon2id:19456:2:1 1',
      ]);
    } finally {
      config().passwordHash = 'bcrypt';
    }
    expect(needsRehash(await hashOf(id), password)).toBe(true);
    expect(await enter(username, password)).toHaveProperty('user.id', id);
    expect(await hashOf(id)).toMatch(/^v1:\$2b\$/);
  });
}
