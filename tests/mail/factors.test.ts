import { beforeAll, expect, test } from 'vitest';
import { removeFactors } from '#lib/management/user/users.ts';
import { readFactors } from '#lib/store/factors.ts';
import {
  atSecondStep,
  codeOf,
  codesOn,
  confirmedBy,
  confirmedByPasskey,
  newPersonWithPasskey,
  newUserWithApp,
  noFactors,
  secretOn,
  wrongCode,
} from '../support/factors.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { forgetSentForms, Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';
import { setEnvironment } from '../support/work-on.ts';

const submit = '/login/factor/submit';
const fresh = 'entirely other words here';

onOneForChange(() => {
  const server = openServerWithMail();
  // The command line is a separate process, and sends mails as well.
  beforeAll(() => {
    setEnvironment({ MAIL_URL: server.smtp.url, ISSUER: server.issuer });
  });

  test('resetting a password by mail still leads to the second factor, and keeps it', async () => {
    const user = await newUserWithApp();
    const thief = new Person(server);
    await thief.submit(await thief.open('/recover'), '/recover/submit', { username: user.email });
    const { link } = await server.smtp.next(user.email, /Reset your password/);
    const step = await thief.submit(
      await thief.open(server.pathOf(link)),
      '/recover/reset/submit',
      {
        new_password: fresh,
      },
    );
    expect(step.at).toBe('/login/factor');
    expect(thief.cookies.has('gh_session')).toBe(false);
    expect(await readFactors(user.id)).toEqual({ ...noFactors, totp: true, recoveryCodes: 10 });
    expect((await thief.submit(step, submit, { recovery_code: user.codes[0] ?? '' })).at).toBe(
      '/account',
    );
  });

  test('five wrong codes after the right password are mailed to the owner', async () => {
    const user = await newUserWithApp();
    const { person, page } = await atSecondStep(server, user);
    for (let each = 0; each < 5; each += 1) {
      await forgetSentForms();
      await person.submit(page, submit, { code: wrongCode(user.secret) });
    }
    const mail = await server.smtp.next(user.email, /may have your password/);
    expect(mail.text).toMatch(/5\s+wrong\s+codes/);
  });

  test('adding or removing a factor, new recovery codes and the use of one are mailed', async () => {
    const { user, person, authenticator } = await newPersonWithPasskey(server);
    expect((await server.smtp.next(user.email, /passkey was added/)).text).toContain('Passkey');

    const app = await newUser();
    const owner = new Person(server, app.username);
    await owner.signIn();
    const page = await owner.open('/account/security/totp');
    const shown = await owner.submit(page, '/account/security/totp/submit', {
      code: codeOf(secretOn(page)),
    });
    await server.smtp.next(app.email, /authenticator app was set up/);
    await owner.submit(
      await owner.open('/account/security'),
      '/account/security/codes/submit',
      confirmedBy(codesOn(shown)[0]),
    );
    await server.smtp.next(app.email, /New recovery codes/);

    const other = await newUserWithApp();
    const { person: signedIn, page: step } = await atSecondStep(server, other);
    await signedIn.submit(step, submit, { recovery_code: other.codes[0] ?? '' });
    expect((await server.smtp.next(other.email, /recovery code .* was used/)).text).toMatch(
      /Codes\s+left:\s+9/,
    );
    const security = await person.open('/account/security');
    await person.submit(
      security,
      '/account/security/remove/submit',
      await confirmedByPasskey(person, security, authenticator),
    );
    await server.smtp.next(user.email, /Two-step sign-in was turned off/);
  });

  test('the user is mailed when an admin removes their factors', async () => {
    const user = await newUserWithApp();
    await removeFactors(user.username, { id: 'cli' }, new Date());
    await server.smtp.next(user.email, /Two-step sign-in was turned off/);
  });
});
