import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { me, redeem, refresh } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();

async function signedIn(username: string): Promise<Person> {
  const person = new Person(server, username);
  expect((await person.signIn()).at).toBe('/account');
  return person;
}

test('sessions: a user sees their sessions, and ends another one or all others', async () => {
  const { username } = await newUser();
  const here = await signedIn(username);
  const there = await signedIn(username);
  const elsewhere = await signedIn(username);
  const page = await here.open('/account/sessions');
  expect(page.forms.filter((form) => form.fields.session)).toHaveLength(2);
  const [other] = page.forms.filter((form) => form.fields.session);
  const after = await here.open('/account/sessions/submit', {
    method: 'POST',
    body: new URLSearchParams(other?.fields).toString(),
    headers: { Origin: server.issuer },
  });
  expect(after.forms.filter((form) => form.fields.session)).toHaveLength(1);
  const others = after.forms.find((form) => form.fields.others);
  await here.open('/account/sessions/submit', {
    method: 'POST',
    body: new URLSearchParams(others?.fields).toString(),
    headers: { Origin: server.issuer },
  });
  expect((await here.open('/account')).at).toBe('/account');
  for (const ended of [there, elsewhere])
    expect((await ended.open('/account')).at).toMatch(/^\/login/);
});

test('email: without MAIL_URL an unconfirmed address is shown as such, with no confirmation to send', async () => {
  const user = await newUser();
  const person = await signedIn(user.username);
  const page = await person.open('/account/mail');
  expect(textOf(page.html)).toContain('This server can’t send email, so ask your administrator');
  expect(page.forms.map(({ action }) => action)).not.toContain('/account/email/own/submit');
  const [form] = (await person.open('/account/sign-in')).forms;
  const action = '/account/email/own/submit';
  const asked = { ...page, forms: [{ ...form, action }] } as Page;
  expect((await person.submit(asked, action)).at).toBe('/account/mail');
  const [row] = await read('SELECT email_verified FROM users WHERE id = $1', [user.id]);
  expect(Boolean(row?.emailVerified)).toBe(false);
});

test('sign-in page of the account: every way to sign in is listed with its state', async () => {
  const user = await newUser();
  const person = await signedIn(user.username);
  await signedIn(user.username);
  const shown = textOf((await person.open('/account/sign-in')).html);
  for (const state of [user.email, 'not confirmed', user.username, 'signed in on 2 devices'])
    expect(shown).toContain(state);
});

test('sessions: a user cannot end another user’s session', async () => {
  const ada = await newUser();
  const bob = await newUser();
  const adaHere = await signedIn(ada.username);
  const bobHere = await signedIn(bob.username);
  await signedIn(ada.username);
  const target =
    (await adaHere.open('/account/sessions')).forms.find((form) => form.fields.session)?.fields
      .session ?? '';
  const page = await bobHere.open('/account/sign-in');
  const csrf = page.forms.find((form) => form.fields.csrf)?.fields.csrf ?? '';
  await bobHere.open('/account/sessions/submit', {
    method: 'POST',
    body: new URLSearchParams({ csrf, session: target }).toString(),
    headers: { Origin: server.issuer },
  });
  expect(
    (await adaHere.open('/account/sessions')).forms.filter((form) => form.fields.session),
  ).toHaveLength(1);
});

test('profile: saved claims reach apps; an invalid date is refused and kept as typed', async () => {
  const user = await newUser();
  const client = await newClient();
  const person = await signedIn(user.username);
  const page = await person.open('/account/profile');
  const filled = {
    name: 'Ada King',
    given_name: 'Ada',
    birthdate: '1815-12-10',
    phone_number: '+44 20 7946 0000',
    locality: 'London',
  };
  const saved = await person.submit(page, '/account/profile/submit', filled);
  expect(saved.html).toContain('Profile saved');
  const refused = await person.submit(saved, '/account/profile/submit', {
    birthdate: 'tenth of December',
  });
  expect(
    refused.forms.find((form) => form.action === '/account/profile/submit')?.fields,
  ).toMatchObject({
    birthdate: 'tenth of December',
  });
  const code = await person.code({
    client_id: client.id,
    response_type: 'code',
    scope: 'profile phone address',
  });
  const { body } = await redeem(server, client, code);
  expect((await me(server, String(body.access_token))).body).toMatchObject({
    name: 'Ada King',
    given_name: 'Ada',
    birthdate: '1815-12-10',
    phone_number: '+44 20 7946 0000',
    address: { locality: 'London' },
  });
});

test('connected apps: withdrawing one scope ends only the tokens that carry it', async () => {
  const user = await newUser();
  const client = await newClient();
  const person = await signedIn(user.username);
  const tokensFor = async (scope: string) => {
    const code = await person.code({ client_id: client.id, response_type: 'code', scope });
    return (await redeem(server, client, code)).body;
  };
  const wide = await tokensFor('profile email');
  const narrow = await tokensFor('profile');
  const page = await person.open(`/account/apps/${client.id}`);
  const form = page.forms.find(
    (each) => each.fields.client_id === client.id && each.fields.scope === 'email',
  );
  await person.open('/account/apps/submit', {
    method: 'POST',
    body: new URLSearchParams(form?.fields).toString(),
    headers: { Origin: server.issuer },
  });
  expect((await me(server, String(wide.access_token))).status).toBe(401);
  expect((await refresh(server, String(wide.refresh_token))).status).toBe(400);
  expect((await me(server, String(narrow.access_token))).status).toBe(200);
  const again = await person.open(
    `/oauth/authorize?client_id=${client.id}&response_type=code&scope=profile%20email`,
  );
  expect(again.at).toMatch(/^\/consent/);
});
