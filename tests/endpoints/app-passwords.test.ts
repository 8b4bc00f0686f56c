import { describe, expect, test } from 'vitest';
import { proveAppPassword } from '#lib/access/app-password.ts';
import { createApiKey } from '#lib/management/api-key/keys.ts';
import {
  listAppPasswords,
  makeAppPassword,
  tellOfEndingAppPasswords,
} from '#lib/management/app-password/app-passwords.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { ownData } from '#lib/management/user/own-data.ts';
import { findClient } from '#lib/store/clients.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { openServerWithMail, plain } from '../support/server-with-mail.ts';

const cli = { id: 'cli' };
const page = '/account/app-passwords';
const form = `${page}/submit`;
const now = () => new Date();

describe('app passwords', () => {
  const server = openServerWithMail();

  async function scene() {
    const user = await newUser();
    const person = new Person(server, user.username);
    await person.signIn();
    const client = await newClient({ appPasswords: true, name: 'Photo shelf' });
    return { user, person, client };
  }

  async function fateOf(clientId: string, text: string) {
    const client = await findClient(clientId);
    if (!client) throw new Error('There is no such app.');
    return (await proveAppPassword(client, text, { login: null, address: '192.0.2.1', now: now() }))
      .fate;
  }

  const shownIn = (html: string) => /ghap(?:-[0-9a-z]{4}){7}/.exec(textOf(html))?.[0] ?? '';
  const rowsOf = async (userId: string) => (await listAppPasswords({ userId })).rows;

  test('a person makes one, sees it once, is told by mail, and ends it', async () => {
    const { user, person, client } = await scene();
    const filled = {
      client: client.id,
      name: 'Mail on my phone',
      days: '90',
      networks: '192.0.2.0/24',
    };
    const made = await person.submit(await person.open(page), form, filled);
    expect(made.at).toBe(page);
    const text = shownIn(made.html);
    expect(await fateOf(client.id, text)).toBe('good');
    const { text: mail } = await server.smtp.next(user.email, /new app password/);
    expect(plain(mail)).toContain('“Mail on my phone” for Photo shelf');
    expect(mail).not.toContain(text);
    const [row] = await rowsOf(user.id);
    expect(row).toMatchObject({ name: filled.name, networks: ['192.0.2.0/24'] });
    expect(+(row?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    expect(JSON.stringify(await read('SELECT * FROM app_passwords', []))).not.toContain(text);
    const kept = await person.submit(made, `${page}/end`);
    expect(shownIn(kept.html)).toBe('');
    expect(textOf(kept.html)).toContain('Mail on my phone');
    const ended = await person.submit(kept, `${page}/end`);
    expect(textOf(ended.html)).toContain('The app password has ended');
    expect(await fateOf(client.id, text)).toBe('bad');
  });

  test('an old sign-in is asked for first, and what was typed stays', async () => {
    const { user, person, client } = await scene();
    const then = new Date(Date.now() - 3600_000);
    await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [user.id, then]);
    const filled = { client: client.id, name: 'Tablet' };
    const asked = await person.submit(await person.open(page), form, filled);
    expect(await rowsOf(user.id)).toEqual([]);
    expect(asked.html).toContain('value="Tablet"');
    expect(asked.html).toContain('name="confirm_password"');
  });

  test.each([
    ['a name that says nothing', { name: ' ' }, 'Use 1 to 60 characters'],
    ['a network that is none', { networks: 'home' }, 'not a network'],
    ['an app that takes none', { client: 'nobody' }, 'takes no app password'],
  ])('%s is refused in words', async (_, wrong, said) => {
    const { user, person, client } = await scene();
    const filled = { client: client.id, name: 'Phone', ...wrong };
    const refused = await person.submit(await person.open(page), form, filled);
    expect(textOf(refused.html)).toContain(said);
    expect(await rowsOf(user.id)).toEqual([]);
  });

  test('an app that requires two steps gets none from a sign-in with one', async () => {
    const { user, person, client } = await scene();
    await updateClient(client.id, { requireSecondFactor: true }, { actor: cli, now: now() });
    const refused = await person.submit(await person.open(page), form, {
      client: client.id,
      name: 'Phone',
    });
    expect(textOf(refused.html)).toContain('requires two steps');
    expect(await rowsOf(user.id)).toEqual([]);
  });

  test('it opens no page of ours, and the sign-in page says what it is', async () => {
    const { user, client } = await scene();
    const said = { user: user.id, client: client.id, name: 'TV', secondFactor: true };
    const { secret } = await makeAppPassword(said, cli, now());
    const other = new Person(server, user.username);
    const refused = await other.signIn(user.username, secret.toUpperCase());
    expect(refused.at).toMatch(/^\/login/);
    expect(textOf(refused.html)).toContain('That is an app password');
    const asked = await fetch(`${server.base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        username: user.username,
        password: secret,
        client_id: client.id,
        client_secret: client.secret,
      }),
    });
    expect(asked.status).toBe(400);
    expect(await asked.text()).not.toContain(secret);
  });

  test('an admin makes and ends one by the API, and its person is told by mail', async () => {
    const { user, client } = await scene();
    const { secret: key } = await createApiKey(
      { name: user.username, rights: ['app-password:loosen'] },
      cli,
      now(),
    );
    const call = (method: string, path: string, body?: object) =>
      fetch(`${server.base}/api/v1/app-passwords${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const said = { user: user.id, client: client.id, name: 'Radio', for: '30 days' };
    const made = await call('POST', '', said);
    expect(made.status).toBe(201);
    const { id, secret } = (await made.json()) as { id: string; secret: string };
    expect(await fateOf(client.id, secret)).toBe('good');
    await server.smtp.next(user.email, /new app password/);
    const listed = await (await call('GET', `?user=${user.id}`)).text();
    expect(listed).toContain('"Radio"');
    expect(listed).not.toContain(secret);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    const { text } = await server.smtp.next(user.email, /was ended/);
    expect(plain(text)).toContain(
      'An administrator ended the app password “Radio” for Photo shelf',
    );
    expect(await fateOf(client.id, secret)).toBe('bad');
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });

  test('withdrawing an app ends them, approved or not, and the audit log says which', async () => {
    const endings = async (userId: string) =>
      (await listAudit({ userId, type: 'app-password.ended' })).rows.map(({ actor, detail }) => ({
        actor,
        name: detail.name,
      }));
    const { user, person, client } = await scene();
    const made = (name: string) =>
      makeAppPassword({ user: user.id, client: client.id, name, secondFactor: true }, cli, now());
    const phone = await made('Phone');
    expect(await revokeGrants({ user: user.id, client: client.id }, cli, now())).toEqual({
      revoked: 0,
    });
    expect(await fateOf(client.id, phone.secret)).toBe('bad');
    expect(await endings(user.id)).toEqual([{ actor: 'cli', name: 'Phone' }]);
    const tablet = await made('Tablet');
    await tokensOf(server, person, client);
    const apps = await person.open('/account/apps');
    await person.submit(apps, '/account/apps/submit', { client_id: client.id });
    expect(await fateOf(client.id, tablet.secret)).toBe('bad');
    expect(await endings(user.id)).toContainEqual({ actor: user.id, name: 'Tablet' });
  });

  test('a person is told a week before one ends, once', async () => {
    const { user, client } = await scene();
    const said = { user: user.id, client: client.id, secondFactor: true };
    await makeAppPassword({ ...said, name: 'Month', for: '30 days' }, cli, now());
    await makeAppPassword({ ...said, name: 'Day', for: '1 day' }, cli, now());
    const told = async (at: Date) => {
      await tellOfEndingAppPasswords(at);
      const sql = 'SELECT name FROM app_passwords WHERE user_id = $1 AND end_told_at IS NOT NULL';
      return (await read(sql, [user.id])).map(({ name }) => name);
    };
    expect(await told(now())).toEqual([]);
    expect(await told(new Date(Date.now() + 24 * 86_400_000))).toEqual(['Month']);
  });

  test('another person cannot end it, and it is in the file of its owner', async () => {
    const { user, person, client } = await scene();
    const other = await scene();
    const said = { user: user.id, client: client.id, secondFactor: true };
    const { id, secret } = await makeAppPassword({ ...said, name: 'Car' }, cli, now());
    await makeAppPassword({ ...said, user: other.user.id, name: 'Boat' }, cli, now());
    const shown = await other.person.open(page);
    await other.person.submit(shown, `${page}/end`, { id });
    expect(await fateOf(client.id, secret)).toBe('good');
    const { body, headers } = person.postOf(
      await person.open('/account/your-data'),
      '/account/your-data/submit',
      { format: 'json' },
    );
    const file = await person.request('/account/your-data/submit', {
      method: 'POST',
      body,
      headers,
    });
    const text = await file.text();
    expect(ownData.parse(JSON.parse(text)).app_passwords).toMatchObject([
      { name: 'Car', client_id: client.id },
    ]);
    expect(text).not.toContain('Boat');
  });
});
