import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
  });
});

test('api-key: create, list, show, delete', async () => {
  const create = ['api-key', 'create', '--name', 'Terraform', '--right', 'group:write'];
  const more = ['--right', 'api-key:read', '--for', '12 hours', '--network', '192.0.2.0/24'];
  const { secret, ...made } = await json([...create, ...more]);
  expect(secret).toMatch(/^gh_ak_[\w-]{43}$/);
  expect(made).toMatchObject({
    name: 'Terraform',
    rights: ['api-key:read', 'group:write'],
    networks: ['192.0.2.0/24'],
    made_by: null,
    last_used_at: null,
  });
  const life = Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at));
  expect(life).toBe(12 * 3_600_000);
  expect(await failure(create)).toContain('Terraform');
  expect(await json(['api-key', 'list'])).toEqual({ api_keys: [made] });
  for (const key of [String(made.id), 'terraform'])
    expect(await json(['api-key', 'show', key])).toEqual(made);
  expect((await cli(['api-key', 'list'])).stdout).not.toContain('gh_ak_');
  expect(await json(['api-key', 'delete', 'Terraform'])).toEqual({
    id: made.id,
    name: 'Terraform',
    deleted: true,
  });
  expect(await failure(['api-key', 'delete', 'Terraform'])).toContain('Terraform');
  expect(await failure([...create.slice(0, 4), '--right', 'all'])).toContain('“all”');
});
