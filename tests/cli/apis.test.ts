import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
});

const identifier = 'https://mcp.example.org/mcp';

test('api: create, list, show, update, delete', async () => {
  const callback = ['--redirect-uri', 'https://app.example/cb'];
  const { client_id: app } = await json(['client', 'create', '--name', 'App', ...callback]);
  const { client_id: tool } = await json(['client', 'create', '--name', 'Tool', ...callback]);
  const scopes = ['--scope', 'files:read=Read your files', '--scope', 'files:write=Write = change'];
  const made = await json([
    ...['api', 'create', '--identifier', identifier, '--name', 'Files', ...scopes],
    ...['--scope-in', 'de:files:read=Ihre Dateien lesen', '--description', 'Your files'],
    ...['--token-format', 'jwt', '--access-token-ttl', '300', '--access', 'listed'],
    ...['--client', String(app), '--served-by', String(tool)],
  ]);
  expect(made).toMatchObject({
    ...{ identifier, name: 'Files', description: 'Your files', token_format: 'jwt' },
    ...{ access_token_ttl: 300, access: 'listed', clients: [app], served_by: [tool] },
    scopes: [
      {
        name: 'files:read',
        description: 'Read your files',
        descriptions: { de: 'Ihre Dateien lesen' },
      },
      { name: 'files:write', description: 'Write = change', descriptions: {} },
    ],
  });
  expect((await json(['api', 'list'])).apis).toEqual([made]);
  expect((await json(['api', 'list', '--search', 'nothing'])).apis).toEqual([]);
  expect(await json(['api', 'show', 'https://MCP.example.org/mcp/'])).toEqual(made);
  const shown = (await cli(['api', 'show', String(made.id)])).stdout;
  expect(shown).toMatch(/^lifetime +300$[\s\S]*^files:read +Read your files$/m);
  const changed = await json([
    ...['api', 'update', identifier, '--scope', 'files:list=List your files'],
    ...['--scope', 'files:read=Read them', '--remove-scope', 'files:write'],
    ...['--access-token-ttl', 'default', '--client', String(tool), '--remove-client', String(app)],
    ...['--remove-served-by', String(tool)],
  ]);
  expect(changed).toMatchObject({
    ...{ id: made.id, name: 'Files', access_token_ttl: null, clients: [tool], served_by: [] },
    scopes: [
      { name: 'files:read', description: 'Read them', descriptions: { de: 'Ihre Dateien lesen' } },
      { name: 'files:list' },
    ],
  });
  expect(await json(['api', 'delete', identifier])).toEqual({
    ...{ id: made.id, identifier, deleted: true, people: 0, sign_ins: 0 },
  });
  expect((await cli(['api', 'list'])).stdout).toBe('No APIs.\n');
});

test('what is wrong is said in one line, and nothing has changed', async () => {
  const create = (url: string, ...more: string[]) =>
    failure(['api', 'create', '--identifier', url, '--name', 'Other', ...more]);
  const other = 'https://other.example/';
  await json(['api', 'create', '--identifier', other, '--name', 'Taken']);
  expect(await create('https://OTHER.example')).toContain('“Taken”');
  expect(await create('other')).toContain('Received: "other"');
  expect(await create(identifier, '--scope', 'files')).toContain('not "files"');
  expect(await create(identifier, '--scope', 'email=Read mail')).toContain('"email"');
  expect(await create(identifier, '--token-format', 'paseto')).toContain('opaque, jwt');
  expect(await create(identifier, '--access', 'all')).toContain('listed, admins, anyone');
  expect(await create(identifier, '--client', 'nobody')).toContain('"nobody"');
  expect(await create(identifier, '--scope-in', 'de:files=Dateien')).toContain('no scope "files"');
  expect(await failure(['api', 'show', identifier])).toContain('There is no API');
  const update = ['api', 'update', other, '--name', 'Renamed'];
  expect(await failure([...update, '--client', 'nobody'])).toContain('"nobody"');
  expect(await failure([...update, '--remove-scope', 'x'])).toContain('no scope "x"');
  expect(await failure(['api', 'create', '--name', 'x'])).toContain('--identifier');
  expect((await json(['api', 'list'])).apis).toMatchObject([{ name: 'Taken' }]);
});
