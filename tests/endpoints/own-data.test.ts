import { expect, test } from 'vitest';
import { createApiKey } from '#lib/management/api-key/keys.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { ownData } from '#lib/management/user/own-data.ts';
import { audit } from '#lib/store/audit.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const server = await openServer();

async function download(person: Person, filled: Record<string, string> = {}) {
  const page = await person.open('/account/your-data');
  const fields = { format: 'json', ...filled };
  const { body, headers } = person.postOf(page, '/account/your-data/submit', fields);
  return person.request('/account/your-data/submit', { method: 'POST', body, headers });
}

test('own data: the file has the documented shape, and no secret or data of another user', async () => {
  const person = await newPerson(server);
  const other = await newPerson(server);
  const { id } = person.user;
  const client = await newClient({ name: 'Pottery Club' });
  const code = await person.code({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid profile',
  });
  const now = new Date();
  const key = 'planted-public-key';
  await write(
    `INSERT INTO passkeys (id, user_id, name, public_key, counter, transports, syncable, backed_up, aaguid, created_at)
     VALUES (:credential, :id, 'My phone', :key, 0, '', FALSE, FALSE, '', :now)`,
    { credential: `planted-credential-${id}`, id, key, now },
  );
  await write(
    `INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at)
     VALUES (:id, 'planted-enrolment', 'planted-sealed', 0, :now)`,
    { id, now },
  );
  await write('UPDATE sessions SET amr = :amr WHERE user_id = :id', { id, amr: 'pwd otp mfa' });
  await audit(
    { type: 'user.updated', userId: id, actor: id, detail: { note: 'planted-detail' } },
    now,
  );
  const response = await download(person);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="account-.*\.json"$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  const text = await response.text();
  const data = ownData.parse(JSON.parse(text));
  expect(data.profile).toMatchObject({ id, username: person.username, email: person.user.email });
  expect(data.sign_in).toMatchObject({ password: true, passkeys: [{ name: 'My phone' }] });
  expect(data.apps).toMatchObject([{ client_id: client.id, name: 'Pottery Club' }]);
  expect(data.sessions).toMatchObject([{ current: true }]);
  const events = data.activity.map(({ event }) => event);
  for (const event of ['sign-in.success', 'consent.given', 'user.updated', 'user.data-taken'])
    expect(events).toContain(event);
  const rows = await read<Record<string, string>>(
    'SELECT u.password_hash, s.hash, s.cookie_hash FROM users u JOIN sessions s ON s.user_id = u.id WHERE u.id = :id',
    { id },
  );
  const secrets = rows.flatMap((row) => Object.values(row)).filter(Boolean);
  expect(secrets.length).toBeGreaterThan(1);
  for (const hidden of [...secrets, code, client.secret, 'planted', other.username, other.user.id])
    expect(text).not.toContain(hidden);
});

/** Everything an account can own besides what its pages show, with names that tell whose it is. */
async function giveBelongings(userId: string, word: string) {
  const now = new Date();
  const params = { userId, word, id: `${word}-${userId}`, now };
  const { id: client } = await newClient({ name: `${word} app` });
  await giveIdentity(userId, await newProvider({ name: `${word} provider` }));
  await write(
    `INSERT INTO directory_people (directory, entry_id, user_id, dn, disabled_by_it, created_at, last_seen_at)
     VALUES ('staff', :id, :userId, 'cn=' || :word, FALSE, :now, :now)`,
    params,
  );
  await addContact(client, userId, { id: 'cli' }, now);
  await write(
    'INSERT INTO client_users (client_id, user_id, created_at) VALUES (:client, :userId, :now)',
    { client, userId, now },
  );
  await write(
    `INSERT INTO client_requests (client_id, origin, name, host, user_id, asked_at)
     VALUES (:id, 'document', :word || ' wish', 'app.example', :userId, :now)`,
    params,
  );
  await write(
    'INSERT INTO former_usernames (username_key, user_id, given_up_at) VALUES (:id, :userId, :now)',
    params,
  );
  const key = { name: `${word} key ${userId}`, rights: ['group:read'] };
  const { secret } = await createApiKey(key, { id: userId }, now);
  return { client, secret };
}

test('own data: has linked accounts, requested and developed apps and API keys of the user, and no other’s', async () => {
  const person = await newPerson(server);
  const other = await newUser();
  const { id } = person.user;
  const { client, secret } = await giveBelongings(id, 'own');
  await giveBelongings(other.id, 'foreign');
  const text = await (await download(person)).text();
  const data = ownData.parse(JSON.parse(text));
  expect(data.profile.former_usernames).toMatchObject([{ username: `own-${id}` }]);
  expect(data.sign_in.identities).toMatchObject([
    { provider: 'own provider', issuer: 'https://idp.example.com' },
  ]);
  expect(data.sign_in.directory).toMatchObject({ entry_id: `own-${id}`, dn: 'cn=own' });
  const app = { client_id: client, name: 'own app' };
  expect(data.allowed_apps).toMatchObject([app]);
  expect(data.developed_apps).toMatchObject([{ ...app, owner: false }]);
  expect(data.requested_apps).toMatchObject([{ name: 'own wish', decision: null }]);
  expect(data.api_keys).toMatchObject([{ name: `own key ${id}`, rights: ['group:read'] }]);
  for (const hidden of ['foreign', secret]) expect(text).not.toContain(hidden);
  const html = await (await download(person, { format: 'html' })).text();
  for (const shown of ['Linked accounts', 'own provider', 'Apps you develop', 'own wish'])
    expect(html).toContain(shown);
});

test('own data: the HTML file is in the user’s language, and escapes their data', async () => {
  const person = await newPerson(server);
  await write('UPDATE users SET name = :name WHERE id = :id', {
    id: person.user.id,
    name: '<script>alert(1)</script>',
  });
  person.language = 'de';
  const response = await download(person, { format: 'html' });
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*\.html"$/);
  const html = await response.text();
  expect(html).toContain('lang="de"');
  expect(html).toContain(`Die Daten von ${person.username}`);
  expect(html).toContain('Angemeldet');
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toContain('<script');
  expect(html.trimEnd().endsWith('</html>')).toBe(true);
});

test('own data: needs a recent sign-in, and allows five downloads in 15 minutes', async () => {
  const person = await newPerson(server);
  const age = () =>
    write('UPDATE sessions SET auth_time = :old WHERE user_id = :id', {
      id: person.user.id,
      old: new Date(Date.now() - 3600_000),
    });
  await age();
  const asked = await download(person);
  expect(asked.status).toBe(303);
  expect((await download(person, { confirm_password: 'wrong' })).status).toBe(303);
  expect((await download(person, { confirm_password: password })).status).toBe(200);
  for (let more = 0; more < 4; more += 1) expect((await download(person)).status).toBe(200);
  const refused = await download(person);
  expect(refused.headers.get('location')).toBe('/account/your-data');
  expect((await person.open('/account/your-data')).html).toContain('several times just now');
  expect((await download(await newPerson(server))).status).toBe(200);
});

test('own data: has all of 1,203 events', async () => {
  const person = await newPerson(server);
  const { id } = person.user;
  for (let index = 0; index < 1203; index += 1)
    await audit({ type: 'user.updated', userId: id, actor: id }, new Date());
  const { activity } = ownData.parse(await (await download(person)).json());
  expect(activity.filter(({ event }) => event === 'user.updated')).toHaveLength(1203);
});

test('own data: a user cannot download another user’s, and without a session it is refused', async () => {
  const person = await newPerson(server);
  const other = await newUser();
  const page = await person.open('/account/your-data');
  const { body, headers } = person.postOf(page, '/account/your-data/submit', {
    user: other.id,
    id: other.id,
  });
  const response = await person.request('/account/your-data/submit', {
    method: 'POST',
    body,
    headers,
  });
  const sent = await response.text();
  expect(sent).toContain(person.user.username);
  expect(sent).not.toContain(other.username);
  const nobody = new Person(server);
  await nobody.open('/login');
  expect(
    (await nobody.request('/account/your-data/submit', { method: 'POST', body, headers })).status,
  ).toBe(403);
});
