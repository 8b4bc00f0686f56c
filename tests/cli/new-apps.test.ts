import { beforeAll, expect, test } from 'vitest';
import { storeClientRequest } from '#lib/store/client-requests.ts';
import { createDatabase } from '../support/database.ts';
import { newUser } from '../support/seed.ts';
import { newHost, newUnverifiedApp } from '../support/unverified-apps.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
    NODE_ENV: 'production',
  });
});

test('client waiting, approve, refuse', async () => {
  const user = await newUser();
  const host = newHost();
  const id = `https://${host}/app`;
  const app = { id, origin: 'document', name: 'Weather', host } as const;
  await storeClientRequest(app, user.id, { type: 'client.requested' }, new Date());
  expect(await json(['client', 'waiting'])).toMatchObject({
    waiting: [{ client_id: id, host, name: 'Weather', asked_by: user.username }],
  });
  expect(await json(['client', 'refuse', id])).toEqual({
    client_id: id,
    host,
    decision: 'refused',
  });
  expect((await cli(['client', 'approve', id])).stdout).toBe(`Approved the app of ${host}.\n`);
  expect((await cli(['client', 'waiting'])).stdout).toBe('No app waits.\n');
  expect(await failure(['client', 'approve', 'nobody'])).toContain('No one has asked');
});

test('host: list, block, unblock, remove-apps', async () => {
  const { id, host } = await newUnverifiedApp();
  expect(await json(['host', 'block', host.toUpperCase()])).toMatchObject({ host, apps: 1 });
  expect(await json(['host', 'list'])).toMatchObject({ hosts: [{ host, apps: 1 }] });
  expect(await failure(['host', 'block', host])).toContain('is blocked already');
  expect(await json(['host', 'unblock', host])).toEqual({ host, blocked: false });
  expect((await cli(['host', 'list'])).stdout).toBe('No host is blocked.\n');
  expect((await cli(['host', 'remove-apps', host])).stdout).toMatch(
    /^Removed the apps of .*: 1 app,/,
  );
  expect(await failure(['client', 'show', id])).toContain('There is no client');
  expect(await failure(['host', 'block', 'not a host'])).toContain('is not a host');
});
