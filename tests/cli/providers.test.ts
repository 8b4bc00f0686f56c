import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, folder, inOwnProcess, json } from './command-line.ts';

beforeAll(async () => {
  process.env.DATABASE_URL = await createDatabase('sqlite');
});

test('provider: created with a secret from a file, updated, disabled and deleted', async () => {
  writeFileSync(join(folder, 'secret.txt'), 'the secret of discord\n');
  await json(['group', 'create', 'players']);
  const made = await cli([
    'provider',
    'create',
    'discord',
    '--client-id',
    '42',
    '--secret-file',
    'secret.txt',
    '--groups-claim',
    'guilds',
    '--group-for',
    '1234=players',
    '--domain',
    'example.org',
  ]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(/redirect_uri +http\S+\/login\/with\/discord\/callback/);
  expect(made.stdout).toMatch(/groups +1234=players/);
  expect(made.stdout).not.toContain('the secret of discord');

  const fromInput = ['provider', 'update', 'discord', '--secret-file', '-', '--may-register'];
  const updated = await inOwnProcess([...fromInput, '--json'], 'another one');
  expect(updated).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(updated.stdout)).toMatchObject({ may_register: true, secret: 'kept' });
  expect(await json(['provider', 'disable', 'discord'])).toMatchObject({ enabled: false });
  expect((await cli(['provider', 'list'])).stdout).toMatch(/discord +Discord +discord .*no +0 +0/);
  expect(await json(['provider', 'delete', 'discord'])).toMatchObject({ deleted: true, people: 0 });
  expect((await cli(['provider', 'list'])).stdout).toContain('No providers.');
});
