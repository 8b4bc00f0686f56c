import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '#lib/identity/passwords.ts';
import { signIn } from '#lib/identity/sign-in.ts';
import { read } from '#lib/store/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser, password } from '../support/seed.ts';

onEachDatabase(() => {
  // So dear that the queue is full for seconds.
  beforeAll(() => {
    process.env.BCRYPT_COST = '8';
  });

  test('a try that nobody had the time to look at is given back, to the account and to the address', async () => {
    const user = await newUser();
    const request = {
      id: 'r',
      method: 'POST',
      path: '/login/submit',
      query: '',
      address: '192.0.2.7',
      header: () => undefined,
    };
    const asked = request as unknown as Parameters<typeof signIn>[0];
    const countsOf = async () =>
      Object.fromEntries(
        (await read('SELECT key, failures FROM throttles', [])).map((row) => [
          row.key,
          Number(row.failures),
        ]),
      );
    expect(await signIn(asked, user.username, 'wrong', new Date())).toBe('wrong');
    expect(await countsOf()).toEqual({ [`user:${user.id}`]: 1, 'address:192.0.2.7': 1 });

    // As many as the queue takes: whoever comes now is turned away.
    const others = Promise.allSettled(Array.from({ length: 64 }, () => hashPassword(password)));
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => signIn(asked, user.username, 'wrong', new Date())),
    );
    await others;
    const refused = tries.filter((each) => each.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ reason }) => reason.name))).toEqual(new Set(['PasswordsBusy']));
    const counted = 1 + tries.length - refused.length;
    expect(await countsOf()).toEqual({
      [`user:${user.id}`]: counted,
      'address:192.0.2.7': counted,
    });
  });
});
