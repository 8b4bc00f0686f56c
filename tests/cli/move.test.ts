import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { files, hashParameters } from '../import/files.ts';
import { createDatabase } from '../support/database.ts';
import { cli, failure, folder, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
  for (const [name, text] of Object.entries({ ...files, parameters: hashParameters }))
    writeFileSync(resolve(folder, name), text);
});

const people = async () => ((await json(['user', 'list'])).users as unknown[]).length;

test('import: a plan first, then every user of it, and no user a second time', async () => {
  const asked = ['import', 'keycloak', '--from', 'keycloak'];
  const planned = await cli([...asked, '--dry-run']);
  expect(planned.code).toBe(3);
  expect(planned.stdout).toMatch(/^to import +2\nwith their password +2\nwith their id +2\n/);
  expect(planned.stdout).toMatch(/^new groups +staff, staff\/board$/m);
  expect(planned.stdout).toMatch(/^grace@example\.org +grace$/m);
  expect(planned.stdout).toContain('Nothing was changed yet.');
  expect(await people()).toBe(0);
  const told = await json([...asked, '--yes']);
  expect(told).toMatchObject({
    applied: true,
    people: [
      { username: 'ada', password: true },
      { username: 'grace', disabled: true },
    ],
    collide: [],
    wrong: [],
  });
  // Neither the hash nor its salt is shown.
  expect(JSON.stringify(told)).not.toMatch(/\$|pbkdf2/);
  const again = await cli([...asked, '--dry-run']);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toMatch(/Nothing to import\.\n$/);
  expect(await people()).toBe(2);
});

test('import: the hash parameters of Firebase are given in a file', async () => {
  const asked = ['import', 'firebase', '--from', 'firebase', '--dry-run', '--leave-out'];
  const without = await cli(asked);
  expect(without.stdout).toMatch(/^have an account +2$/m);
  await json(['user', 'delete', 'ada']);
  await json(['user', 'delete', 'grace']);
  expect((await cli(asked)).stdout).toMatch(/^with their password +0$/m);
  const told = await cli([...asked, '--hash-parameters', 'parameters']);
  expect(told.stdout).toMatch(/^with their password +1$/m);
});

test('import: invalid arguments and files are refused', async () => {
  const asked = ['import', 'csv', '--from', 'csv'];
  expect(await failure(asked)).toContain('--dry-run');
  expect(await failure([...asked, '--dry-run', '--yes'])).toContain('--dry-run');
  expect(await failure(['import', 'csv', '--from', 'okta', '--yes'])).toMatch(/keycloak/);
  expect(await failure(['import', 'nowhere', '--from', 'csv', '--yes'])).toContain('no file');
  expect(await failure(['import', 'csv', '--from', 'json', '--yes'])).toContain('not JSON');
});
