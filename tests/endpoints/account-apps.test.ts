import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listConnectedApps } from '#lib/store/connected-apps.ts';
import { me, redeem, refresh, tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const submit = '/account/apps/submit';
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

test('an app is signed in once for each authorization whose refresh token works', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const places = async (at = new Date()) =>
    (await listConnectedApps(person.user.id, at))[0]?.places;
  const first = await tokensOf(server, person, client);
  expect(await places()).toBe(1);
  await tokensOf(server, person, client);
  await refresh(server, first.refresh_token);
  expect(await places()).toBe(2);
  // Reusing the first refresh token after its successor was used ends the authorization.
  const renewed = String((await refresh(server, first.refresh_token)).body.refresh_token);
  await refresh(server, renewed);
  await refresh(server, first.refresh_token);
  expect(await places()).toBe(1);
  expect(await places(later(31 * 24 * 3600))).toBe(0);
  expect(textOf((await person.open('/account/apps')).html)).toContain('one active sign-in');
});

test('the account page of an app shows the claims that the app receives, and no others', async () => {
  const claims = {
    given_name: 'Ada',
    phone_number: '+44 20 7946 0000',
    address: { locality: 'London', country: 'England' },
  };
  const user = await newUser({ name: 'Ada King', claims });
  const person = new Person(server, user.username);
  const client = await newClient();
  await person.signIn();
  const tokens = await tokensOf(server, person, client, { scope: 'openid profile address' });
  const { body } = await me(server, tokens.access_token);
  const shown = textOf((await person.open(`/account/apps/${client.id}`)).html);
  for (const value of Object.values({
    ...body,
    address: 'London',
    updated_at: undefined,
    email_verified: undefined,
  })) {
    if (value !== undefined) expect(shown).toContain(String(value));
  }
  expect(shown).toContain('England');
  expect(shown).not.toContain('+44 20 7946 0000');
});

test('the account page of an app is 404 for a user who has not approved it', async () => {
  const person = await newPerson(server);
  const other = await newPerson(server);
  const client = await newClient();
  await tokensOf(server, other, client);
  expect((await person.open(`/account/apps/${client.id}`)).status).toBe(404);
  expect((await person.open('/account/apps/nothing')).status).toBe(404);
  expect((await other.open(`/account/apps/${client.id}`)).status).toBe(200);
});

test('the audit log records each withdrawn scope and app, and nothing where none was withdrawn', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await tokensOf(server, person, client, { scope: 'profile email' });
  const page = await person.open('/account/apps');
  const post = (fields: Record<string, string>) => person.submit(page, submit, fields);
  const written = async () =>
    (await listAudit({ userId: person.user.id, type: 'consent.withdrawn' })).rows.map(
      ({ clientId, detail }) => [clientId, detail],
    );
  await post({ client_id: 'nothing' });
  await post({ client_id: client.id, scope: 'phone' });
  await post({ client_id: '' });
  expect(await written()).toEqual([]);
  expect((await post({ client_id: client.id, scope: 'email' })).at).toBe(
    `/account/apps/${client.id}`,
  );
  await post({ client_id: client.id, scope: 'email' });
  expect((await post({ client_id: client.id, scope: 'profile' })).at).toBe('/account/apps');
  await post({ client_id: client.id });
  expect(await written()).toEqual([
    [client.id, { scope: 'profile' }],
    [client.id, { scope: 'email' }],
  ]);
});

test('a code issued before its app’s access was removed is refused, and its request issues no second one', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const asked = await person.open(`/oauth/authorize?client_id=${client.id}&response_type=code`);
  const sealed = asked.forms.find((form) => form.action === '/consent/submit')?.fields.flow ?? '';
  const allowed = await person.decide(asked, 'allow');
  const code = new URL(allowed.at).searchParams.get('code') ?? '';
  await person.submit(await person.open('/account/apps'), submit, { client_id: client.id });
  expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
  const again = await person.open(`/oauth/continue?flow=${sealed}`);
  expect(again.at).toMatch(/^\/consent/);
  const second = await person.decide(again, 'allow');
  expect([second.status, second.at]).toEqual([400, '/consent/submit']);
});

test.each([
  ['/account/username/submit', '/account/sign-in'],
  ['/account/picture/remove/submit', '/account/profile'],
  ['/account/apps/submit', '/account/apps'],
  ['/account/profile/submit', '/account/profile'],
  ['/account/fields/submit', '/account/profile'],
  ['/account/sessions/submit', '/account/sessions'],
  ['/account/app-passwords/submit', '/account/app-passwords'],
  ['/account/app-passwords/end', '/account/app-passwords'],
  ['/account/notices/submit', '/account/mail'],
  ['/account/email/submit', '/account/mail'],
  ['/account/email/own/submit', '/account/mail'],
  ['/account/password/submit', '/account/sign-in'],
  ['/account/security/remove/submit', '/account/security'],
])(
  '%s: a POST after the session has ended redirects to sign-in and sets no cookie',
  async (action, page) => {
    const person = await newPerson(server);
    const { body, headers } = person.postOf(
      await person.open('/account/sign-in'),
      '/account/password/submit',
      {
        email: 'typed@example.com',
      },
    );
    await person.signOut();
    const response = await person.request(action, { method: 'POST', body, headers });
    const login = `/login?back=${encodeURIComponent(page)}`;
    expect([response.status, response.headers.get('location')]).toEqual([303, login]);
    expect(response.headers.getSetCookie()).toEqual([]);
  },
);
