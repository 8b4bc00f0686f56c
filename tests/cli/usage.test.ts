import { resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '#lib/cli/program.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { cli, failure, run } from './command-line.ts';

Object.assign(process.env, { SERVER_SECRET: 's'.repeat(32), BCRYPT_COST: '4' });

const commands = {
  user: [
    'create',
    'list',
    'show',
    'disable',
    'enable',
    'delete',
    'set-admin',
    'set-role',
    'reset-password',
  ],
  client: ['create', 'update', 'list', 'show', 'disable', 'enable', 'delete', 'rotate-secret'],
  recipe: ['list', 'show'],
  scope: ['list', 'create', 'update', 'delete'],
  'registration-token': ['create', 'list', 'remove'],
  'api-key': ['create', 'list', 'show', 'delete'],
  group: ['list', 'create', 'show', 'update', 'delete', 'add', 'remove'],
  settings: ['list', 'set'],
  grants: ['list', 'revoke'],
  keys: ['list', 'revoke', 'rotate'],
  audit: ['list'],
  trace: ['list', 'show'],
};

test('every command prints its --help without configuration or database', async () => {
  process.env.DATABASE_URL = 'nonsense';
  const paths = [
    [],
    ...Object.entries(commands).flatMap(([group, names]) => [
      [group],
      ...names.map((name) => [group, name]),
    ]),
  ];
  for (const path of paths) {
    const { code, stdout, stderr } = await cli([...path, '--help']);
    expect({ code, stderr }, path.join(' ')).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['npm run cli --', ...path].join(' ')} `);
    expect(stdout).toContain('--json');
  }
  expect((await cli([])).stdout).toContain('Examples:');
});

test.each([
  [['usr'], 'Did you mean user?'],
  [['user', 'creat'], 'Did you mean create?'],
  [['user', 'list', '--serch', 'x'], 'Did you mean --search?'],
  [['user'], 'npm run cli -- user create, list'],
  [['user', 'show'], "Missing required argument 'user'"],
  [['user', 'show', 'a', 'b'], 'Too many arguments'],
  [['user', 'create', '--username', 'ada'], '--email'],
  [['user', 'create', '--username'], 'argument missing'],
  [['--json'], 'npm run cli -- user, client'],
  [['user', 'list', '--limit', 'x'], 'DATABASE_URL'],
])('the command line %j is refused in one line that says where to read on', async (args, words) => {
  process.env.DATABASE_URL = 'nonsense';
  expect(await failure(args)).toContain(words);
});

test.each(databases)('a command creates the tables of a new %s database first', async (kind) => {
  process.env.DATABASE_URL = await createEmptyDatabase(kind);
  const person = [
    '--username',
    'first',
    '--email',
    'first@example.org',
    '--password',
    'long, and not to be guessed',
    '--admin',
  ];
  const { code, stdout, stderr } = await run('npm', [
    'run',
    '--silent',
    'cli',
    '--',
    'user',
    'create',
    ...person,
    '--json',
  ]);
  expect({ code, notes: stderr.replace(/^Step .*\n {2}done .*\n/gm, '') }).toEqual({
    code: 0,
    notes: '',
  });
  expect(JSON.parse(stdout)).toMatchObject({ username: 'first', admin: true });
  const refused = await run('npm', [
    'run',
    '--silent',
    'cli',
    '--',
    'user',
    'delete',
    'first',
    '--json',
  ]);
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]*last admin[^\n]*\n$/),
  });
});

test.each([['--help'], ['nonsense']])(
  'a reader of the output that closes the pipe early is not a failure: %s',
  async (...args) => {
    // `true` has already ended when the first line is written.
    const piped = `"$0" "$@" 2>&1 | true; exit "\${PIPESTATUS[0]}"`;
    const program = [process.execPath, resolve('lib/cli.ts'), ...args];
    const { code, stderr } = await run('bash', ['-c', piped, ...program]);
    expect({ code, stderr }).toEqual({ code: args[0] === 'nonsense' ? 1 : 0, stderr: '' });
    const help = await run('bash', ['-c', `"$0" "$@" | true`, ...program]);
    expect(help.stderr).not.toContain('EPIPE');
  },
);

test('a database that cannot be used is reported in one line', async () => {
  process.env.DATABASE_URL = 'postgresql://nobody:nothing@127.0.0.1:1/none';
  expect(await failure(['user', 'list'])).toContain('DATABASE_URL');
});

const onlyOnce = (command: Command): [path: string[], option: Option][] => [
  ...command.options
    .filter((option) => (option.required || option.optional) && !option.parseArg)
    .map((option): [string[], Option] => [pathTo(command), option]),
  ...command.commands.flatMap(onlyOnce),
];
const pathTo = (command: Command): string[] =>
  command.parent ? [...pathTo(command.parent), command.name()] : [];

test('an option that takes one value is refused when it is there twice, at every command', async () => {
  process.env.DATABASE_URL = 'nonsense';
  const options = onlyOnce(buildProgram());
  expect(options.length).toBeGreaterThan(200);
  for (const [path, { long }] of options) {
    const program = buildProgram();
    const twice = [...path, `${long}=a`, String(long), 'b'];
    await expect(program.parseAsync(twice, { from: 'user' }), twice.join(' ')).rejects.toThrow(
      `${long} takes one value, and is there twice.`,
    );
  }
});

test('a list that was given in two options is shown as one', async () => {
  const twice = ['client', 'update', 'x', '--scope', 'openid', '--scope', 'email'];
  expect((await cli(twice)).stderr).toContain('Write one list: --scope "openid email".');
});
