import { expect, test } from 'vitest';
import { findUser, replacePassword } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';

onEachDatabase(() => {
  test('a password hash is replaced only if it is the verified one, so that a reset meanwhile is kept', async () => {
    const { id } = await newUser();
    const verified = (await findUser(id))?.passwordHash ?? '';
    const replacements = ['v1:one', 'v1:two', 'v1:three'].map((next) =>
      replacePassword(id, verified, next, new Date()),
    );
    expect((await Promise.all(replacements)).filter(Boolean)).toHaveLength(1);
    expect(await replacePassword(id, verified, 'v1:late', new Date())).toBe(false);
    expect((await findUser(id))?.passwordHash).toMatch(/^v1:(one|two|three)$/);
  });
});
