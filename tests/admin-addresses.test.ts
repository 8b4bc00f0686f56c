import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientPage, fieldPage, scopePage } from '#app/admin/addresses.ts';
import { moved } from '#app/moved.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
import { openOwnServer } from './support/open-server.ts';
import { Person } from './support/person.ts';
import { newClient, newUser } from './support/seed.ts';

const server = await openOwnServer('sqlite');
const admin = new Person(server, (await newUser({ isAdmin: true })).username);
await admin.signIn();
const nobody = new Person(server);

test.each(Object.entries(moved))(
  'the former dashboard address %s redirects permanently to %s',
  async (before, now) => {
    for (const query of ['', '?q=a%20b&kind=web']) {
      const { status, headers } = await admin.request(before + query);
      expect([status, headers.get('location')]).toEqual([308, now + query]);
    }
    expect((await admin.request(now)).status).toBe(200);
    expect([existsSync(`app${before}`), existsSync(`app${now}`)]).toEqual([false, true]);
    // It reveals nothing about what is there.
    expect((await nobody.request(now)).headers.get('location')).toMatch(/^\/login\?back=%2Fadmin/);
  },
);

test('a scope, a field and an app with the id `new` have pages of their own beside the forms', async () => {
  const [cli, now] = [{ id: 'cli' }, new Date()];
  await createScope({ name: 'new', description: 'A scope called new' }, cli, now);
  await createField({ name: 'new', label: 'A field called new', scope: 'profile' }, cli, now);
  await newClient({ id: 'new', name: 'An app called new' });
  for (const [list, page, says] of [
    ['/admin/scopes', scopePage('new'), 'A scope called new'],
    ['/admin/fields', fieldPage('new'), 'A field called new'],
    ['/admin/clients', clientPage('new'), 'An app called new'],
  ] as const) {
    expect(await textAt(list), list).toContain(`href="${page}"`);
    expect(await textAt(page), page).toContain(says);
    expect(await textAt(`${list}/new`), list).not.toContain(says);
  }
});

test('the address of a scope, field or app page encodes its name', () => {
  expect(scopePage('photos')).toBe('/admin/scopes/photos');
  expect(scopePage('https://api.example/read')).toBe(
    '/admin/scopes/https%3A%2F%2Fapi.example%2Fread',
  );
  expect(fieldPage('news')).toBe('/admin/fields/news');
  expect(clientPage('new', 'settings')).toBe('/admin/clients/new/settings');
});

async function textAt(path: string): Promise<string> {
  const response = await admin.request(path);
  expect(response.status, path).toBe(200);
  return response.text();
}
