import { expect, test } from 'vitest';
import { readFactors } from '#lib/store/factors.ts';
import {
  atSecondStep,
  codeOf,
  codesOn,
  confirmedBy,
  newUserWithApp,
  noFactors,
  secretOn,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newUser } from '../support/seed.ts';

const server = await openServer();
const submit = '/login/factor/submit';

test('an authenticator app is set up with recovery codes, and asked for at the next sign-in', async () => {
  const user = await newUser();
  const person = new Person(server, user.username);
  await person.signIn();
  const page = await person.open('/account/security/totp');
  const secret = secretOn(page);
  expect(page.html).toMatch(/<img[^>]+src="data:image\/svg\+xml;base64,/);

  const refused = await person.submit(page, '/account/security/totp/submit', {
    code: wrongCode(secret),
  });
  expect(secretOn(refused)).toBe(secret);
  expect(textOf(refused.html)).toContain('That code isn’t right');

  const code = codeOf(secret);
  const shown = await person.submit(refused, '/account/security/totp/submit', { code });
  expect(shown.at).toBe('/account/security/codes');
  const codes = codesOn(shown);
  expect(new Set(codes).size).toBe(10);
  const file = await (await person.request('/account/security/codes/download')).text();
  for (const each of codes) expect(file).toContain(each);
  const done = await person.submit(shown, '/account/security/codes/kept');
  expect(done.at).toBe('/account/security');
  expect((await person.open('/account/security/codes')).at).toBe('/account/security');

  const stored = await (await prisma()).totpSecret.findUniqueOrThrow({
    where: { userId: user.id },
  });
  expect(stored.sealedSecret).not.toContain(secret);
  const hashes = await (await prisma()).recoveryCode.findMany({ where: { userId: user.id } });
  for (const each of codes) expect(JSON.stringify(hashes)).not.toContain(each);

  const { person: again, page: step } = await atSecondStep(server, user);
  expect(step.at).toBe('/login/factor');
  expect([...again.cookies.keys()]).not.toContain('gh_session');
  // The code that turned the app on is used up.
  const replayed = await again.submit(step, submit, { code });
  expect(replayed.at).toBe('/login/factor');
  const home = await again.submit(replayed, submit, { code: codeOf(secret, 1) });
  expect(home.at).toBe('/account');
  expect([...again.cookies.keys()]).not.toContain('gh_step');
});

test('an authenticator app code used several times at the same moment signs in once', async () => {
  const user = await newUserWithApp();
  const steps = await Promise.all([1, 2, 3, 4, 5].map(() => atSecondStep(server, user)));
  const code = codeOf(user.secret);
  const ends = await Promise.all(
    steps.map(({ person, page }) => person.submit(page, submit, { code })),
  );
  expect(ends.filter(({ at }) => at === '/account')).toHaveLength(1);
});

test('after five wrong authenticator app codes even the right one is refused, also in parallel', async () => {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  const code = wrongCode(user.secret);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      person.submit(page, submit, { code: `${code}${' '.repeat(index)}` }),
    ),
  );
  expect(answers.every(({ at }) => at === '/login/factor')).toBe(true);
  const events = await (await prisma()).auditEvent.findMany({
    where: { userId: user.id, type: 'factor.failure' },
  });
  expect(events).toHaveLength(5);

  const right = await person.submit(page, submit, { code: codeOf(user.secret) });
  expect(textOf(right.html)).toContain('Too many attempts');
  const recovery = await person.submit(page, submit, {
    recovery_code: user.codes[0] ?? '',
    code: '',
  });
  expect(recovery.at).toBe('/login/factor');
  expect((await readFactors(user.id)).recoveryCodes).toBe(10);
});

test('the second step belongs to its browser, and is ended by a new password', async () => {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  const thief = new Person(server);
  const own = await thief.open('/login');
  thief.cookies.set('gh_step', person.cookies.get('gh_step') ?? '');
  const { csrf = '' } = own.forms[0]?.fields ?? {};
  const body = new URLSearchParams({ csrf, code: codeOf(user.secret) }).toString();
  const stolen = await thief.open(submit, {
    method: 'POST',
    body,
    headers: { Origin: server.issuer },
  });
  expect(stolen.at).toBe('/login');
  expect(thief.cookies.has('gh_session')).toBe(false);

  await (await prisma()).user.update({
    where: { id: user.id },
    data: { passwordHash: 'v1:another' },
  });
  const late = await person.submit(page, submit, { code: codeOf(user.secret) });
  expect(late.at).toBe('/login');
  expect(textOf(late.html)).toContain('That took too long');
});

test('an authenticator app is replaced and removed; removing the last factor removes the recovery codes', async () => {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, submit, { code: codeOf(user.secret) });
  const setUp = await person.open('/account/security/totp');
  const secret = secretOn(setUp);
  const wrong = await person.submit(setUp, '/account/security/totp/submit', {
    code: codeOf(secret),
  });
  expect(textOf(wrong.html)).toContain('Enter your password.');
  const replaced = await person.submit(setUp, '/account/security/totp/submit', {
    code: codeOf(secret),
    ...confirmedBy(user.codes[0]),
  });
  expect(textOf(replaced.html)).toContain('Authenticator app set up');
  // Submitting the same form again has no second effect.
  const twice = await person.submit(setUp, '/account/security/totp/submit', {
    code: codeOf(secret),
    ...confirmedBy(user.codes[2]),
  });
  expect(secretOn(twice)).not.toBe(secret);

  const second = await atSecondStep(server, user);
  expect(
    (await second.person.submit(second.page, submit, { code: codeOf(user.secret, 1) })).at,
  ).toBe('/login/factor');
  expect((await second.person.submit(second.page, submit, { code: codeOf(secret, 1) })).at).toBe(
    '/account',
  );

  const security = await second.person.open('/account/security');
  const removed = await second.person.submit(
    security,
    '/account/security/remove/submit',
    confirmedBy(user.codes[1]),
  );
  expect(textOf(removed.html)).toContain('Authenticator app removed');
  expect(await readFactors(user.id)).toEqual(noFactors);
  expect((await new Person(server, user.username).signIn()).at).toBe('/account');
});
