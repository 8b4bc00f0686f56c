import { expect, test } from 'vitest';
import { readFactors } from '#lib/store/factors.ts';
import { atSecondStep, codeOf, codesOn, confirmedBy, newUserWithApp } from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';

const server = await openServer();
const submit = '/login/factor/submit';

test('a recovery code signs in once, also in lower case and without hyphens', async () => {
  const user = await newUserWithApp();
  const [code = ''] = user.codes;
  const first = await atSecondStep(server, user);
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
  expect((await first.person.submit(first.page, submit, { recovery_code: typed })).at).toBe(
    '/account',
  );
  expect((await readFactors(user.id)).recoveryCodes).toBe(9);

  const second = await atSecondStep(server, user);
  expect((await second.person.submit(second.page, submit, { recovery_code: code })).at).toBe(
    '/login/factor',
  );
  expect((await readFactors(user.id)).recoveryCodes).toBe(9);
  const events = await (await prisma()).auditEvent.findMany({
    where: { userId: user.id, type: 'recovery-code.used' },
  });
  expect(events).toHaveLength(1);
});

test('a recovery code used several times at the same moment signs in once', async () => {
  const user = await newUserWithApp();
  const steps = await Promise.all([1, 2, 3, 4].map(() => atSecondStep(server, user)));
  const ends = await Promise.all(
    steps.map(({ person, page }) =>
      person.submit(page, submit, { recovery_code: user.codes[0] ?? '' }),
    ),
  );
  expect(ends.filter(({ at }) => at === '/account')).toHaveLength(1);
});

test('a recovery code of another user is refused', async () => {
  const user = await newUserWithApp();
  const other = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  expect((await person.submit(page, submit, { recovery_code: other.codes[0] ?? '' })).at).toBe(
    '/login/factor',
  );
  expect((await readFactors(other.id)).recoveryCodes).toBe(10);
});

test('new recovery codes replace the old ones, and are shown to their user only', async () => {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, submit, { code: codeOf(user.secret) });
  const shown = await person.submit(
    await person.open('/account/security'),
    '/account/security/codes/submit',
    confirmedBy(user.codes[0]),
  );
  const codes = codesOn(shown);
  expect(codes).toHaveLength(10);
  expect(codes.some((code) => user.codes.includes(code))).toBe(false);

  const other = await atSecondStep(server, await newUserWithApp());
  other.person.cookies.set('gh_codes', person.cookies.get('gh_codes') ?? '');
  expect((await other.person.open('/account/security/codes')).html).not.toContain(codes[0]);
  expect((await other.person.request('/account/security/codes/download')).status).toBe(303);

  const again = await atSecondStep(server, user);
  expect(
    (await again.person.submit(again.page, submit, { recovery_code: user.codes[1] ?? '' })).at,
  ).toBe('/login/factor');
  expect(
    (await again.person.submit(again.page, submit, { recovery_code: codes[1] ?? '' })).at,
  ).toBe('/account');
});
