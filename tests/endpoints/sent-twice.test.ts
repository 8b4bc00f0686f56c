import { describe, expect, test } from 'vitest';
import { eventBy } from '#lib/store/actor.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { mostFormAnswers, reserveFormAnswer } from '#lib/store/form-answers.ts';
import { endEverything } from '#lib/store/user-changes.ts';
import { findUser } from '#lib/store/users.ts';
import { redeem } from '../support/app.ts';
import { newDeviceClient, startDevice } from '../support/devices.ts';
import { atSecondStep, codeOf, newUserWithApp } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const server = await openServer({
  REGISTRATION: 'open',
  MAIL_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'id@example.org',
});
const second = await server.secondProcess();

type Filled = { person: Person; page: Page; action: string; filled: Record<string, string> };
const asking = async () =>
  authorizePath({ client_id: (await newClient()).id, response_type: 'code', state: 'S' });

/** Each form that decides something: the page, and what a person fills in. */
const forms: Record<string, () => Promise<Filled>> = {
  async 'sign-in'() {
    const person = new Person(server, (await newUser()).username);
    const page = await person.open(await asking());
    return {
      person,
      page,
      action: '/login/submit',
      filled: { username: person.username, password },
    };
  },
  async 'second step'() {
    const user = await newUserWithApp();
    const { person, page } = await atSecondStep(server, user);
    return { person, page, action: '/login/factor/submit', filled: { code: codeOf(user.secret) } };
  },
  async consent() {
    const person = await newPerson(server);
    const page = await person.open(await asking());
    return { person, page, action: '/consent/submit', filled: { decision: 'allow' } };
  },
  async 'consent, denied'() {
    const person = await newPerson(server);
    const page = await person.open(await asking());
    return { person, page, action: '/consent/submit', filled: { decision: 'deny' } };
  },
  async 'account choice'() {
    const person = await newPerson(server);
    const page = await person.open(`${await asking()}&prompt=select_account`);
    return { person, page, action: '/switch/submit', filled: {} };
  },
  async 'code of a device'() {
    const person = await newPerson(server);
    const { user_code } = await startDevice(server, await newDeviceClient());
    const page = await person.open('/device');
    return { person, page, action: '/device/submit', filled: { user_code } };
  },
  async device() {
    const { person, page, action, filled } = await (
      forms['code of a device'] as () => Promise<Filled>
    )();
    const asked = await person.submit(page, action, filled);
    return { person, page: asked, action: '/device/confirm/submit', filled: { decision: 'allow' } };
  },
  async 'sign-out'() {
    const person = await newPerson(server);
    return { person, page: await person.open('/logout'), action: '/logout/submit', filled: {} };
  },
  async registration() {
    const person = new Person(server);
    const page = await person.open('/register');
    const email = `new-${Date.now()}@example.org`;
    return { person, page, action: '/register/submit', filled: { email } };
  },
};

/** Posts a form of a page, as it is, without following the answer. */
async function post({ person, page, action, filled }: Filled, at = server) {
  const browser = Object.assign(new Person(at), { address: person.address });
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  const answer = await browser.request(action, {
    method: 'POST',
    ...person.postOf(page, action, filled),
  });
  const { status, headers } = answer;
  const given = headers.getSetCookie().filter((cookie) => !/^gh_notice=/.test(cookie));
  return { status, location: headers.get('location'), given, text: await answer.text() };
}

describe('a form that a browser sends twice within ten seconds', () => {
  for (const [name, show] of Object.entries(forms))
    test(`${name}: both answers are the first one's, at once in two processes and again`, async () => {
      const form = await show();
      const [first, ...others] = await Promise.all([post(form), post(form, second), post(form)]);
      expect([302, 303]).toContain(first?.status);
      for (const other of [...others, await post(form, second)]) expect(other).toEqual(first);
    });

  test('consent: the code that both answers carry is redeemed once', async () => {
    const client = await newClient();
    const person = await newPerson(server);
    const page = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
    const form = { person, page, action: '/consent/submit', filled: { decision: 'allow' } };
    const answers = await Promise.all([post(form), post(form, second)]);
    const codes = answers.map(({ location }) => new URL(location ?? '').searchParams.get('code'));
    expect(codes[0]).toBe(codes[1]);
    expect((await redeem(server, client, codes[0] ?? '')).status).toBe(200);
    expect((await redeem(second, client, codes[1] ?? '')).body.error).toBe('invalid_grant');
  });

  test('what is stored meanwhile holds neither the code nor a cookie', async () => {
    const form = await (forms.consent as () => Promise<Filled>)();
    const code = new URL((await post(form)).location ?? '').searchParams.get('code') ?? '';
    const rows = await read<{ answer: string }>('SELECT answer FROM kept_answers', []);
    expect(code).not.toBe('');
    expect(rows.length).toBeGreaterThan(0);
    for (const { answer } of rows) {
      expect(answer).not.toContain(code);
      expect(Buffer.from(answer, 'base64url').toString('latin1')).not.toContain(code);
    }
  });

  test('later, in another browser, and from a page opened anew, a form is handled by itself', async () => {
    const form = await (forms.consent as () => Promise<Filled>)();
    const first = await post(form);
    const stranger = { ...form, person: await newPerson(server) };
    expect((await post(stranger)).status).toBe(403);
    await write('UPDATE kept_answers SET expires_at = $1', [new Date(0)]);
    const late = await post(form);
    expect([late.status, textOf(late.text)]).toEqual([
      400,
      expect.stringContaining('already answered'),
    ]);
    expect(first.location).toContain('code=');
    const { person } = form;
    const again = await person.open(await asking());
    expect((await post({ ...form, page: again })).location).toContain('code=');
  });
});

test('while strangers send too many forms, each is handled by itself, and nothing more is stored', async () => {
  const form = await (forms['code of a device'] as () => Promise<Filled>)();
  await reserveFormAnswer('full', new Date());
  const stored = async () =>
    (await read("SELECT hash FROM kept_answers WHERE caller = 'form'", [])).length;
  const many = Array.from(
    { length: mostFormAnswers - (await stored()) },
    (_, at) => `('full-${at}', 'form', '', '', CAST($1 AS TIMESTAMPTZ))`,
  );
  for (let from = 0; from < many.length; from += 1000)
    await write(
      `INSERT INTO kept_answers (hash, caller, request, answer, expires_at) VALUES ${many.slice(from, from + 1000).join()}`,
      [new Date(Date.now() + 60_000)],
    );
  expect((await post(form)).location).toContain('/device/confirm');
  expect((await post(form)).location).toContain('/device/confirm');
  expect(await stored()).toBe(mostFormAnswers);
  await write("DELETE FROM kept_answers WHERE caller = 'form'", []);
});

describe('a form that was answered a moment ago', () => {
  test('consent: once its browser has signed out, the code is not given again, nor to the next person', async () => {
    const form = await (forms.consent as () => Promise<Filled>)();
    const { person } = form;
    const first = await post(form);
    expect(first.location).toContain('code=');
    await person.submit(await person.open('/logout'), '/logout/submit', {});
    expect((await post(form)).location ?? '').not.toContain('code=');
    await person.signIn((await newUser()).username);
    expect((await post(form)).location ?? '').not.toContain('code=');
  });

  test('sign-out: the same form signs out again after a new sign-in', async () => {
    const person = await newPerson(server);
    const page = await person.open('/logout');
    const out = () => person.submit(page, '/logout/submit', {});
    await out();
    await person.signIn(person.user.username);
    await out();
    expect(textOf((await person.open('/account')).html)).not.toContain(person.user.username);
  });
});

describe('a form belongs to the person it was shown to', () => {
  const rename = (person: Person, page: Page) =>
    person.submit(page, '/account/profile/submit', { name: 'Renamed' });

  test('one of a session that was ended elsewhere does nothing for the next person', async () => {
    const person = await newPerson(server);
    const page = await person.open('/account/profile');
    const { id } = person.user;
    await endEverything(id, eventBy({ id }, 'session.ended', { userId: id }), new Date());
    const bob = await newUser();
    await person.signIn(bob.username);
    expect(textOf((await rename(person, page)).html)).toContain('switched accounts');
    expect((await findUser(bob.id))?.name).not.toBe('Renamed');
  });

  test('one of a session that ended works after the same person has signed in again', async () => {
    const person = await newPerson(server);
    const page = await person.open('/account/profile');
    const { id } = person.user;
    await endEverything(id, eventBy({ id }, 'session.ended', { userId: id }), new Date());
    await person.signIn(person.user.username);
    await rename(person, page);
    expect((await findUser(id))?.name).toBe('Renamed');
  });
});
