import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
  const callback = ['--redirect-uri', 'https://app.example/cb'];
  const create = ['client', 'create', ...callback, '--name'];
  [app, tool] = (await Promise.all(['App', 'Tool'].map((name) => json([...create, name])))).map(
    ({ client_id: id }) => String(id),
  ) as [string, string];
});

let app = '';
let tool = '';
const identifier = 'https://mcp.example.org/mcp';

const creating = [
  'api',
  'create',
  '--identifier',
  identifier,
  '--name',
  'Files',
  '--scope',
  'files:read=Read your files',
  '--scope',
  'files:write=Write = change',
  '--scope-in',
  'de:files:read=Ihre Dateien lesen',
  '--description',
  'Your files',
  '--token-format',
  'jwt',
  '--access-token-ttl',
  '300',
  '--access',
  'listed',
];

test('api: create, list, show, delete', async () => {
  const made = await json([...creating, '--client', app, '--served-by', tool]);
  expect(made).toMatchObject({
    identifier,
    name: 'Files',
    description: 'Your files',
    token_format: 'jwt',
    access_token_ttl: 300,
    access: 'listed',
    clients: [app],
    served_by: [tool],
    scopes: [
      {
        name: 'files:read',
        description: 'Read your files',
        descriptions: { de: 'Ihre Dateien lesen' },
      },
      { name: 'files:write', description: 'Write = change', descriptions: {} },
    ],
  });
  expect((await json(['api', 'list', '--search', 'MCP.example'])).apis).toEqual([made]);
  expect(await json(['api', 'show', 'https://MCP.example.org/mcp/'])).toEqual(made);
  const shown = (await cli(['api', 'show', String(made.id)])).stdout;
  expect(shown).toMatch(/^lifetime +300$[\s\S]*^files:read +Read your files$/m);
  expect(await json(['api', 'delete', identifier])).toEqual({
    id: made.id,
    identifier,
    name: 'Files',
    deleted: true,
    people: 0,
    sign_ins: 0,
  });
  expect((await cli(['api', 'list', '--search', 'files'])).stdout).toBe('No APIs.\n');
});

test('client create with a scope of an API is refused with the name of that API', async () => {
  await json([...creating]);
  const add = ['client', 'create', '--name', 'Reader', '--redirect-uri', 'https://app.example/cb'];
  expect(await failure([...add, '--scope', 'files:read'])).toBe(
    `"files:read" is a scope of the API ${identifier}, which says who may ask for it. Leave it out here: the client sends resource.`,
  );
  expect(await failure([...add, '--scope', 'files:none'])).toContain(
    'There is no scope "files:none"',
  );
  await json(['api', 'delete', identifier]);
});

test('api update changes, adds and removes what is given', async () => {
  const made = await json([...creating, '--client', app, '--served-by', tool]);
  const changed = await json([
    'api',
    'update',
    identifier,
    '--scope',
    'files:list=List your files',
    '--scope',
    'files:read=Read them',
    '--remove-scope',
    'files:write',
    '--access-token-ttl',
    'default',
    '--client',
    tool,
    '--remove-client',
    app,
    '--remove-served-by',
    tool,
  ]);
  expect(changed).toMatchObject({
    id: made.id,
    name: 'Files',
    access_token_ttl: null,
    clients: [tool],
    served_by: [],
    scopes: [
      { name: 'files:read', description: 'Read them', descriptions: { de: 'Ihre Dateien lesen' } },
      { name: 'files:list' },
    ],
  });
  await json(['api', 'delete', identifier]);
});

const other = 'https://other.example/';
const create = (url: string, ...more: string[]) =>
  failure(['api', 'create', '--identifier', url, '--name', 'Other', ...more]);

test('api create reports what is wrong in one line', async () => {
  expect(await create('no good')).toContain('Received: "no good"');
  expect(await create(identifier, '--scope', 'files')).toContain('not "files"');
  expect(await create(identifier, '--access', 'all')).toContain('listed, admins, anyone');
  expect(await create(identifier, '--client', 'nobody')).toContain('"nobody"');
  expect(await create(identifier, '--scope-in', 'de:files=Dateien')).toContain('no scope "files"');
});

test('a refused change of an API by a command changes nothing', async () => {
  const { id } = await json(['api', 'create', '--identifier', other, '--name', 'Taken']);
  expect(await create('https://OTHER.example')).toContain('“Taken”');
  const update = ['api', 'update', other, '--name', 'Renamed'];
  expect(await failure([...update, '--client', 'nobody'])).toContain('"nobody"');
  expect(await failure([...update, '--remove-scope', 'x'])).toContain('no scope "x"');
  expect(await json(['api', 'show', String(id)])).toMatchObject({ name: 'Taken' });
  await json(['api', 'delete', other]);
});
