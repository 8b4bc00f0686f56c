import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
  });
});

test('registration-token: create, list, remove', async () => {
  const create = ['registration-token', 'create', '--name', 'Build server'];
  const made = await json([...create, '--for', '12 hours']);
  expect(made).toMatchObject({ name: 'Build server', last_used_at: null });
  expect(made.token).toMatch(/^gh_ia_/);
  const life = Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at));
  expect(life).toBe(12 * 3_600_000);
  expect((await cli(create)).stdout).toMatch(/^token +gh_ia_[\w-]{43}$/m);
  const { registration_tokens: listed } = await json(['registration-token', 'list']);
  expect(listed).toMatchObject([{ name: 'Build server' }, { id: made.id }]);
  expect((await cli(['registration-token', 'list'])).stdout).not.toContain('gh_ia_');
  const { id, name } = made;
  expect(await json(['registration-token', 'remove', String(id)])).toEqual({
    id,
    name,
    removed: true,
  });
  expect(await failure(['registration-token', 'remove', String(id)])).toContain(String(id));
  expect(await failure([...create, '--for', 'ever'])).toContain('ever');
});
