import { expect, test } from 'vitest';
import { activityTypes } from '#lib/management/user/activity.ts';
import { audit } from '#lib/store/audit.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const day = 24 * 3600_000;
const shown = async (person: Person, query = '') =>
  textOf((await person.open(`/account/activity${query}`)).html);

test('activity: shows the user’s own sign-ins, failures and apps, with device and network', async () => {
  const person = await newPerson(server);
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const stranger = new Person(server, person.username);
  stranger.address = '203.0.113.77';
  const page = await stranger.open('/login');
  const filled = { username: person.username, password: 'not the password' };
  const { body, headers } = stranger.postOf(page, '/login/submit', filled);
  await stranger.open('/login/submit', {
    method: 'POST',
    body,
    headers: { ...headers, 'User-Agent': firefox },
  });
  const client = await newClient({ name: 'Pottery Club' });
  await person.code({ client_id: client.id, response_type: 'code' });
  const text = await shown(person);
  expect(text).toContain('A sign-in failed');
  expect(text).toContain('Firefox, Linux');
  expect(text).toContain('203.0.113.77');
  expect(text).toContain('Access given to Pottery Club');
  expect(await shown(person, '?kind=apps')).not.toContain('A sign-in failed');
  expect(await shown(person, '?kind=sign-ins')).not.toContain('Pottery Club');
});

test('activity: hides other users’ events, an admin’s network, and details of events', async () => {
  const person = await newPerson(server);
  const other = await newUser();
  const about = { userId: person.user.id, address: '198.51.100.23' };
  const now = new Date();
  const detail = { device: 'Netscape, Amiga', secret: 'planted-detail' };
  await audit({ type: 'password.reset', actor: other.id, ...about, detail }, now);
  await audit({ type: 'email.changed', actor: person.user.id, userId: other.id, detail }, now);
  await audit({ type: 'setting.changed', actor: person.user.id, ...about, detail }, now);
  const text = await shown(person);
  expect(text).toContain('Password reset');
  expect(text).toContain('by an administrator');
  for (const hidden of [
    '198.51.100.23',
    'Amiga',
    'planted',
    other.username,
    'Email address changed',
  ])
    expect(text).not.toContain(hidden);
});

test('activity: shows 90 days in pages; an invalid cursor shows the first page', async () => {
  const person = await newPerson(server);
  const about = { userId: person.user.id, actor: person.user.id };
  const start = Date.now();
  for (let index = 0; index < 35; index += 1)
    await audit({ type: 'user.updated', ...about }, new Date(start - index * day));
  await audit({ type: 'email.confirmed', ...about }, new Date(start - 91 * day));
  const first = await person.open('/account/activity?kind=changes');
  expect(first.html.match(/Profile changed/g)).toHaveLength(30);
  const [, older = ''] =
    /href="([^"]*)"[^>]*rel="next"|rel="next"[^>]*href="([^"]*)"/.exec(first.html) ?? [];
  const second = await person.open(older.replaceAll('&amp;', '&'));
  expect(second.html.match(/Profile changed/g)).toHaveLength(5);
  expect(second.html).not.toContain('Email address confirmed');
  expect(second.html).toMatch(/rel="prev"/);
  const lost = await person.open('/account/activity?kind=nothing&cursor=nobodys');
  expect(lost.status).toBe(200);
  expect(lost.html.match(/Profile changed/g)).toHaveLength(29);
});

test('activity: pages with every event type open, and a deleted app is named as such', async () => {
  const person = await newPerson(server);
  const types = Object.values(activityTypes).flat();
  for (const type of types) await audit({ type, userId: person.user.id }, new Date());
  person.language = 'de';
  for (const kind of Object.keys(activityTypes)) {
    const page = await person.open(`/account/activity?kind=${kind}`);
    expect(page.status).toBe(200);
    expect(page.html.includes('einer App, die es nicht mehr gibt')).toBe(kind === 'apps');
  }
});
