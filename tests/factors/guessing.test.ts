import { expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { readFactors } from '#lib/store/factors.ts';
import { forChange } from '../lanes.ts';
import {
  atSecondStep,
  codeOf,
  newUserWithApp,
  type UserWithApp,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { password } from '../support/seed.ts';

// Guesses that arrive at the same moment, at two server processes on one database.
const server = await openServer({});
const second = await server.secondProcess();
const alone = !forChange || databaseOf(server.databaseUrl) === 'sqlite';
const either = (index: number) => (index % 2 === 0 ? server : second);
const submit = '/login/factor/submit';

/** Codes of the right form that open nothing. */
const wrongRecoveryCode = (index: number) =>
  `2222-3333-4444-${String(index).padStart(4, '5').replace(/[01]/g, '6')}`;

async function failuresOf(userId: string, type: string): Promise<number> {
  return (await prisma()).auditEvent.count({ where: { userId, type } });
}

/**
 * Brings as many browsers to the second step as there are guesses, half of them at each server.
 * Then all guess at the same time.
 */
async function guess(user: UserWithApp, guesses: Record<string, string>[]): Promise<string[]> {
  const steps: Awaited<ReturnType<typeof atSecondStep>>[] = [];
  // One by one, because right passwords under way count like wrong ones until they are verified.
  for (const [index] of guesses.entries()) steps.push(await atSecondStep(either(index), user));
  const posts = steps.map(({ person, page }, index) => ({
    person,
    ...person.postOf(page, submit, guesses[index]),
  }));
  const ends = posts.map(({ person, ...post }) => person.open(submit, { method: 'POST', ...post }));
  return (await Promise.all(ends)).map(({ at }) => at);
}

const kinds: [string, (user: UserWithApp, index: number) => Record<string, string>][] = [
  ['codes of an app', (user) => ({ code: wrongCode(user.secret) })],
  ['recovery codes', (_, index) => ({ recovery_code: wrongRecoveryCode(index) })],
  [
    'both in turn',
    (user, index): Record<string, string> =>
      index % 4 < 2
        ? { code: wrongCode(user.secret) }
        : { recovery_code: wrongRecoveryCode(index) },
  ],
];

// For a change, only guesses of both kinds in turn run on PostgreSQL.
test.each(alone ? kinds : kinds.slice(-1))(
  '%s guessed in parallel do not exceed the limit, and then the right ones are refused',
  async (_, guessOf) => {
    const user = await newUserWithApp();
    const ends = await guess(
      user,
      Array.from({ length: 16 }, (_, index) => guessOf(user, index)),
    );
    expect(new Set(ends)).toEqual(new Set(['/login/factor']));
    expect(await failuresOf(user.id, 'factor.failure')).toBe(5);
    const late = await guess(user, [
      { code: codeOf(user.secret) },
      { code: codeOf(user.secret) },
      { recovery_code: user.codes[0] ?? '' },
      { recovery_code: user.codes[0] ?? '' },
    ]);
    expect(new Set(late)).toEqual(new Set(['/login/factor']));
    expect(await readFactors(user.id)).toMatchObject({ recoveryCodes: 10 });
  },
);

test('guessing codes: a new step, another browser or a new password sign-in gives no further guesses', async () => {
  const user = await newUserWithApp();
  for (let round = 0; round < 4; round += 1) await guess(user, [{ code: wrongCode(user.secret) }]);
  await guess(user, [
    { recovery_code: wrongRecoveryCode(1) },
    { recovery_code: wrongRecoveryCode(2) },
  ]);
  expect(await failuresOf(user.id, 'factor.failure')).toBe(5);
  expect(await guess(user, [{ code: codeOf(user.secret) }])).toEqual(['/login/factor']);
});

test('after fifty wrong codes in total, a right one is refused in new browsers until a recovery code is used', async () => {
  const user = await newUserWithApp();
  const { person: owner, page } = await atSecondStep(server, user);
  await owner.submit(page, submit, { code: codeOf(user.secret) });
  await owner.signOut();
  await guess(user, [{ code: wrongCode(user.secret) }]);
  await (await prisma()).throttle.update({
    where: { key: `factor:user:${user.id}` },
    data: { total: 50, failures: 0 },
  });
  const tryCode = async (person: Person, step: Page, steps: number) =>
    person.submit(step, submit, { code: codeOf(user.secret, steps) });
  const { person: outsider, page: step } = await atSecondStep(server, user);
  const stopped = await tryCode(outsider, step, 1);
  expect(stopped.at).toBe('/login/factor');
  expect(textOf(stopped.html)).toContain(en['factor.stopped']);
  // A refused try does not reduce the count: the same code, although right, is refused again.
  expect((await tryCode(outsider, stopped, 1)).at).toBe('/login/factor');
  // The limit does not apply to the owner's own browser, whose success does not reset the
  // outsider's count.
  expect((await tryCode(owner, await owner.signIn(), 1)).at).toBe('/account');
  const back = await outsider.submit(stopped, submit, { recovery_code: user.codes[0] ?? '' });
  expect(back.at).toBe('/account');
  expect(
    await (await prisma()).throttle.count({
      where: { userId: user.id, key: { startsWith: 'factor:' } },
    }),
  ).toBe(0);
});

test('wrong codes of another person do not lock the owner out of a known browser', async () => {
  const user = await newUserWithApp();
  const { person: owner, page } = await atSecondStep(server, user);
  expect((await owner.submit(page, submit, { code: codeOf(user.secret) })).at).toBe('/account');
  await owner.signOut();
  await guess(
    user,
    Array.from({ length: 8 }, () => ({ code: wrongCode(user.secret) })),
  );
  const again = await owner.signIn();
  expect((await owner.submit(again, submit, { code: codeOf(user.secret, 1) })).at).toBe('/account');
});

test('password guesses in an open session are throttled', async () => {
  const person = await newPerson(server);
  const page = await person.open('/account/sign-in');
  const action = '/account/password/submit';
  const wrong = { new_password: 'entirely other words here' };
  const bodies = Array.from({ length: 24 }, (_, index) =>
    person.postOf(page, action, { ...wrong, confirm_password: `guess ${index}` }),
  );
  await Promise.all(
    bodies.map(({ body, headers }, index) => {
      const visitor = new Person(either(index));
      for (const [name, value] of person.cookies) visitor.cookies.set(name, value);
      return visitor.request(action, {
        method: 'POST',
        body,
        headers: { ...headers, Origin: visitor.server.issuer },
      });
    }),
  );
  const right = await person.submit(page, action, { ...wrong, confirm_password: password });
  expect(right.html).toContain('Too many attempts');
});
