import { expect, test } from 'vitest';
import {
  createApiKey,
  deleteApiKey,
  listApiKeys,
  showApiKey,
} from '#lib/management/api-key/keys.ts';
import {
  apiNouns,
  holdsRight,
  plainRights,
  rightsFault,
  rightsPresets,
} from '#lib/management/api-key/rights.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { deleteUser, disableUser, enableUser, setRole } from '#lib/management/user/users.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { findLiveApiKey, mostApiKeys } from '#lib/store/api-keys.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const day = 86_400_000;
const now = new Date();
const later = (days: number) => new Date(now.getTime() + days * day);
const create = (more: Partial<Parameters<typeof createApiKey>[0]> = {}, by = actor, at = now) =>
  createApiKey({ name: unique('key'), rights: ['group:write'], ...more }, by, at);

onEachDatabase(() => {
  test('an API key works until it expires, and is kept as a digest', async () => {
    const name = unique('key');
    const made = await create({ name: `  ${name} `, for: '2 days', networks: ['192.0.2.0/24'] });
    const { secret, ...known } = made;
    expect(secret).toMatch(/^gh_ak_[\w-]{43}$/);
    expect(known).toMatchObject({ name, rights: ['group:write'], maker: null, role: 'admin' });
    expect(known).toMatchObject({ networks: ['192.0.2.0/24'], expiresAt: later(2) });
    expect(await findLiveApiKey(digest(secret), later(1.9))).toEqual(known);
    expect(await findLiveApiKey(digest(secret), later(2))).toBeNull();
    expect(await findLiveApiKey(digest(`${secret}x`), now)).toBeNull();
    expect((await listApiKeys()).find(({ id }) => id === made.id)).toEqual(known);
    const rows = await read('SELECT * FROM api_keys WHERE id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('a deleted API key no longer works, and the audit log has its creation and deletion without the secret', async () => {
    const { id, name, secret } = await create();
    expect(await deleteApiKey(id, actor, now)).toMatchObject({ id, name });
    expect(await findLiveApiKey(digest(secret), now)).toBeNull();
    expect(await faultsOf(deleteApiKey(id, actor, now))).toEqual({
      'api-key': `There is no API key "${id}".`,
    });
    const { rows } = await listAudit({ type: 'api-key' });
    const events = rows.filter(({ detail }) => detail.id === id);
    expect(events.map(({ type, actor: by, detail }) => [type, by, detail.name])).toEqual([
      ['api-key.deleted', 'cli', name],
      ['api-key.created', 'cli', name],
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('an API key never has more rights than its creator has now, and ends with the creator’s account', async () => {
    const maker = await newPerson({ admin: true });
    await newPerson({ admin: true });
    const { id, secret } = await create({}, { ...actor, id: maker.id });
    const role = async () => (await findLiveApiKey(digest(secret), now))?.role;
    expect((await showApiKey(id)).maker).toEqual({ id: maker.id, username: maker.username });
    expect(await role()).toBe('admin');
    for (const next of ['auditor', 'support', 'none', 'admin'] as const) {
      await setRole(maker.id, next, actor, now);
      expect(await role()).toBe(next);
    }
    await disableUser(maker.id, actor, now);
    expect(await role()).toBe('none');
    await enableUser(maker.id, actor, now);
    expect(await role()).toBe('admin');
    await deleteUser(maker.id, actor, now);
    expect(await findLiveApiKey(digest(secret), now)).toBeNull();
  });

  test.each<[string, Partial<Parameters<typeof createApiKey>[0]>, string]>([
    ['no name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(61) }, 'name'],
    ['a name of two lines', { name: 'two\nlines' }, 'name'],
    ['no rights', { rights: [] }, 'rights'],
    ['rights over nothing we have', { rights: ['group:read', 'moon:read'] }, 'rights'],
    ['a right without its level', { rights: ['group'] }, 'rights'],
    ['two rights in one', { rights: ['group:read group:loosen'] }, 'rights'],
    ['a name of the prototype', { rights: ['__proto__:read'] }, 'rights'],
    ['no end', { for: 'ever' }, 'for'],
    ['a second', { for: '1 second' }, 'for'],
    ['more than a year', { for: '366 days' }, 'for'],
    ['no network', { networks: ['192.0.2.0/33'] }, 'networks'],
    ['everywhere', { networks: ['0.0.0.0/0'] }, 'networks'],
  ])('an API key with %s is refused', async (_, more, field) => {
    expect(Object.keys(await faultsOf(create(more)))).toEqual([field]);
  });

  test('two API keys never have the same name, so that a name in the audit log means one key', async () => {
    const { name } = await create();
    expect(await faultsOf(create({ name: name.toUpperCase() }))).toEqual({
      name: expect.stringContaining('already'),
    });
  });

  test('API keys that expired a month ago are deleted, others are kept', async () => {
    const old = await create({ for: '1 day' });
    const young = await create({ for: '3 days' });
    await deleteExpired(later(32));
    const kept = (await listApiKeys()).map(({ id }) => id);
    expect([kept.includes(old.id), kept.includes(young.id)]).toEqual([false, true]);
  });

  test('the number of API keys is limited', async () => {
    const made: string[] = [];
    for (let count = (await listApiKeys()).length; count < mostApiKeys; count += 1)
      made.push((await create()).id);
    const refused = await faultsOf(create());
    for (const id of made) await deleteApiKey(id, actor, now);
    expect(refused).toEqual({ '': expect.stringContaining(`${mostApiKeys}`) });
  });
});

test('each level of an API key’s right includes the lower levels, for its own noun alone', () => {
  const may = (right: string) =>
    (['read', 'write', 'loosen'] as const).filter((level) => holdsRight([right], 'group', level));
  expect(may('group:read')).toEqual(['read']);
  expect(may('group:write')).toEqual(['read', 'write']);
  expect(may('group:loosen')).toEqual(['read', 'write', 'loosen']);
  expect(may('api-key:loosen')).toEqual([]);
  expect(may('group')).toEqual([]);
  expect(plainRights(['all:read', 'group:write'])).toEqual(
    apiNouns.map((noun) => `${noun}:${noun === 'group' ? 'write' : 'read'}`),
  );
  for (const preset of Object.values(rightsPresets)) expect(rightsFault(preset)).toBeNull();
  expect(rightsFault(['all'])).not.toBeNull();
  expect(plainRights(['group:read', 'group:loosen', 'api-key:read'])).toEqual([
    'api-key:read',
    'group:loosen',
  ]);
});
