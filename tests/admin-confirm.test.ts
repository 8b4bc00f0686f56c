import { describe, expect, test } from 'vitest';
import { textIn } from '#lib/messages/text.ts';
import { eventBy } from '#lib/store/actor.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { endEverything } from '#lib/store/user-changes.ts';
import { codeOf, newUserWithApp, wrongCode } from './support/factors.ts';
import { type Form, formsOf, textOf, unescapeHtml } from './support/html.ts';
import { openOwnServer } from './support/open-server.ts';
import { Person } from './support/person.ts';
import { newClient, newUser, password, type TestUser } from './support/seed.ts';

const say = textIn('en');

const text = textIn('en');
const server = await openOwnServer('sqlite');

const path = '/admin/clients/new?kind=web';
const hour = 3_600_000;
/** Typed into a text area. */
const uris = { redirectUris: 'https://typed.example/cb' };

/** An admin with a form filled in, whose sign-in has meanwhile become an hour old. */
async function adminAtForm(user: TestUser, signIn: (person: Person) => Promise<unknown>) {
  const person = new Person(server, user.username);
  await signIn(person);
  const form = (await person.open(path)).forms.find(({ fields }) => 'kind' in fields);
  const hourAgo = new Date(Date.now() - hour);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [user.id, hourAgo]);
  return { person, form: form as Form, name: `App of ${user.username}` };
}

/** Submits a form as a page without scripts does, with some fields filled in. */
async function send(person: Person, form: Form, fields: Record<string, string>, at = path) {
  const filled = new FormData();
  for (const [name, value] of Object.entries({ ...form.fields, ...uris, ...fields }))
    filled.set(name, value);
  const response = await fetch(server.base + at, {
    method: 'POST',
    body: filled,
    redirect: 'manual',
    headers: {
      Origin: server.base,
      'X-Forwarded-For': person.address,
      Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value) person.cookies.set(name, value);
  }
  const html = await response.text();
  const again = formsOf(html).find(({ fields }) => 'confirm_password' in fields);
  return { status: response.status, html, form: again, cookies: response.headers.getSetCookie() };
}

const typed = (name: string) => ({ name });
const clients = async (name: string) =>
  (await read('SELECT id FROM clients WHERE name = $1', [name])).length;
const sessionOf = async (userId: string) =>
  (
    await read('SELECT hash, cookie_hash, auth_time, amr FROM sessions WHERE user_id = $1', [
      userId,
    ])
  )[0];
const events = async (userId: string, type: string) =>
  (await read('SELECT id FROM audit_events WHERE user_id = $1 AND type = $2', [userId, type]))
    .length;

test('an export with an old sign-in asks for the password alone, and goes on, without scripts', async () => {
  const user = await newUser({ isAdmin: true });
  const { person } = await adminAtForm(user, (each) => each.signIn());
  const page = '/admin/export?list=people&state=enabled&all=on';
  const { forms } = await person.open(page);
  const form = forms.find(({ fields }) => 'confirm_password' in fields) as Form;
  const done = await send(person, form, { confirm_password: password }, page);
  const [, file = ''] = /http-equiv="refresh" content="0; url=([^"]*)"/i.exec(done.html) ?? [];
  expect(unescapeHtml(file)).toBe('/admin/people/export?state=enabled&all=on');
  const csv = await person.request(unescapeHtml(file));
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="people-/);
  const elsewhere = await send(
    person,
    form,
    { confirm_password: password, href: 'https://evil.example/' },
    page,
  );
  expect(elsewhere.html).not.toContain('url=https://evil.example');
});

describe('a form that needs a fresh sign-in, without scripts', () => {
  test('keeps a session without “stay signed in” as it is after the confirmation', async () => {
    const user = await newUser({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, async (each) =>
      each.submit(await each.open('/login'), '/login/submit', {
        username: user.username,
        password,
        stay: 'off',
      }),
    );
    const asked = await send(person, form, typed(name));
    const done = await send(person, asked.form as Form, { confirm_password: password });
    expect(done.html).toContain('gh_cs_');
    expect(done.cookies.find((each) => each.startsWith('gh_session='))).not.toMatch(
      /max-age|expires/i,
    );
    expect(done.cookies.some((each) => each.startsWith('gh_device='))).toBe(false);
    const [session] = await read(
      'SELECT brief, auth_time, expires_at FROM sessions WHERE user_id = $1',
      [user.id],
    );
    expect(session?.brief).toBe(true);
    expect(Number(session?.expiresAt) - Number(session?.authTime)).toBe(12 * hour);
  });

  test('asks for the password in the form, keeps the input, and succeeds with one submit', async () => {
    const user = await newUser({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, (each) => each.signIn());
    const before = await sessionOf(user.id);
    const old = new Map(person.cookies);
    const asked = await send(person, form, typed(name));
    expect(asked.html).toContain(say('frame.signInNeeded'));
    expect(asked.form?.fields).toMatchObject({ name, confirm_password: '' });
    expect(asked.html).toContain('>https://typed.example/cb</textarea>');
    expect(asked.form?.fields).not.toHaveProperty('confirm_code');
    expect(await clients(name)).toBe(0);

    const wrong = await send(person, asked.form as Form, {
      confirm_password: 'not-the-password-1',
    });
    expect(wrong.html).toContain(text('confirm.wrong'));
    expect(wrong.html).not.toContain('not-the-password-1');
    expect(wrong.form?.fields).toMatchObject({ name, confirm_password: '' });
    expect(wrong.html).toContain('>https://typed.example/cb</textarea>');
    expect(await events(user.id, 'sign-in.failure')).toBe(1);
    expect(await clients(name)).toBe(0);
    expect(await sessionOf(user.id)).toEqual(before);

    const done = await send(person, wrong.form as Form, { confirm_password: password });
    expect(done.status).toBe(200);
    expect(done.html).toContain('gh_cs_');
    expect(done.html).not.toContain(password);
    expect(await clients(name)).toBe(1);
    const after = await sessionOf(user.id);
    expect(after?.hash).toBe(before?.hash);
    expect(after?.cookieHash).not.toBe(before?.cookieHash);
    expect(Number(after?.authTime) - Number(before?.authTime)).toBeGreaterThan(hour / 2);
    expect(await events(user.id, 'sign-in.success')).toBe(2);
    expect((await person.request('/admin')).status).toBe(200);
    const thief = new Person(server, user.username);
    for (const [key, value] of old) thief.cookies.set(key, value);
    expect((await thief.request('/admin')).status).toBe(307);
  });

  test('also asks for the second factor if the account has one', async () => {
    const user = await newUserWithApp({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, async (each) => {
      const page = await each.signIn();
      await each.submit(page, '/login/factor/submit', { code: codeOf(user.secret, -1) });
    });
    const asked = await send(person, form, typed(name));
    expect(asked.form?.fields).toMatchObject({ confirm_password: '', confirm_code: '' });
    const tries: [Record<string, string>, string][] = [
      [{ confirm_password: password }, text('confirm.codeMissing')],
      [{ confirm_password: 'no', confirm_code: codeOf(user.secret) }, text('confirm.wrong')],
      [{ confirm_password: password, confirm_code: wrongCode(user.secret) }, text('confirm.code')],
    ];
    for (const [fields, fault] of tries) {
      const answer = await send(person, asked.form as Form, fields);
      expect(answer.html).toContain(fault);
      expect(answer.form?.fields).toMatchObject({ confirm_password: '', confirm_code: '' });
    }
    expect(await clients(name)).toBe(0);
    expect(await events(user.id, 'factor.failure')).toBe(1);
    const right = { confirm_password: password, confirm_code: codeOf(user.secret) };
    expect((await send(person, asked.form as Form, right)).html).toContain('gh_cs_');
    expect((await sessionOf(user.id))?.amr).toBe('pwd otp mfa');
  });

  test('counts wrong passwords like the sign-in page, and throttles them', async () => {
    const user = await newUser({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, (each) => each.signIn());
    const asked = await send(person, form, typed(name));
    for (let tries = 0; tries < 10; tries += 1)
      await send(person, asked.form as Form, { confirm_password: `wrong-${tries}` });
    const stopped = await send(person, asked.form as Form, { confirm_password: password });
    expect(stopped.html).toContain('Too many attempts');
    expect(await clients(name)).toBe(0);
    expect(await events(user.id, 'sign-in.throttled')).toBe(1);
  });

  test('is not found for users who are not admins, and does not accept their password', async () => {
    const user = await newUser({ isAdmin: true });
    const member = await newUser();
    const { form, name } = await adminAtForm(user, (each) => each.signIn());
    const other = new Person(server, member.username);
    await other.signIn();
    const before = await sessionOf(member.id);
    const answer = await send(other, form, { ...typed(name), confirm_password: password });
    expect(answer.status).toBe(404);
    const nobody = new Person(server);
    await nobody.open('/login');
    const sent = await send(nobody, form, { ...typed(name), confirm_password: password });
    expect(sent.status).toBe(303);
    expect(await sessionOf(member.id)).toEqual(before);
    expect(await clients(name)).toBe(0);
    expect(await events(user.id, 'sign-in.success')).toBe(1);
  });
});

describe('a dashboard form that was shown to another account of the browser, without scripts', () => {
  /** Another admin signs in with this browser, which keeps the earlier account. */
  async function switchAccount(person: Person): Promise<TestUser> {
    const other = await newUser({ isAdmin: true });
    await person.signInAt(await person.open('/login?account=another'), other.username);
    return other;
  }

  test('is shown again to the current account with the input, and succeeds when it is sent again', async () => {
    const user = await newUser({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, (each) => each.signIn());
    const other = await switchAccount(person);
    const wrong = { ...typed(name), confirm_password: 'not-the-password-1' };
    const late = await send(person, form, wrong);
    expect(late.html).toContain(say('frame.switched', { username: other.username }));
    expect(late.html).toContain('>https://typed.example/cb</textarea>');
    expect(late.html).not.toContain('not-the-password-1');
    expect(await events(other.id, 'sign-in.failure')).toBe(0);
    expect(await clients(name)).toBe(0);
    const again = formsOf(late.html).find(({ fields }) => fields.name === name);
    expect((await send(person, again as Form, {})).html).toContain('gh_cs_');
    expect(await clients(name)).toBe(1);
  });

  /** How the session of the admin who was shown the form ends. */
  const endings: Record<string, (person: Person, userId: string) => Promise<unknown>> = {
    'was ended elsewhere': (_, id) =>
      endEverything(id, eventBy({ id }, 'session.ended', { userId: id }), new Date()),
    'has run out': (_, id) =>
      write('UPDATE sessions SET expires_at = $2 WHERE user_id = $1', [id, new Date(0)]),
    'was signed out': async (person) =>
      person.submit(await person.open('/logout'), '/logout/submit', {}),
    'ended with their account': (_, id) => write('DELETE FROM users WHERE id = $1', [id]),
  };

  test.each(Object.entries(endings))(
    'is not carried out for the next admin in the browser, once the session of the first %s',
    async (_, end) => {
      const user = await newUser({ isAdmin: true });
      const other = await newUser({ isAdmin: true });
      const { person, form, name } = await adminAtForm(user, (each) => each.signIn());
      await end(person, user.id);
      await person.signIn(other.username);
      const late = await send(person, form, typed(name));
      expect(late.html).toContain(say('frame.switched', { username: other.username }));
      expect(await clients(name)).toBe(0);
    },
  );

  test('is carried out for the admin it was shown to, who has signed in again meanwhile', async () => {
    const user = await newUser({ isAdmin: true });
    const { person, form, name } = await adminAtForm(user, (each) => each.signIn());
    await endings['was ended elsewhere']?.(person, user.id);
    await person.signIn();
    expect((await send(person, form, typed(name))).html).toContain('gh_cs_');
    expect(await clients(name)).toBe(1);
  });

  test('does not start a trial of an app', async () => {
    const { id } = await newClient();
    const person = new Person(server, (await newUser({ isAdmin: true })).username);
    await person.signIn();
    const shown = await person.open(`/admin/clients/${id}/try`);
    await switchAccount(person);
    const late = await person.submit(shown, '/admin/try/submit');
    expect([late.status, textOf(late.html)]).toEqual([
      403,
      expect.stringContaining('This form is from an earlier sign-in'),
    ]);
    expect(await read('SELECT id FROM audit_events WHERE client_id = $1', [id])).toEqual([]);
    const now = await person.open(`/admin/clients/${id}/try`);
    expect((await person.submit(now, '/admin/try/submit')).at).not.toBe('/admin/try/submit');
  });
});
