import { beforeAll, expect, test } from 'vitest';
import { withStore } from '#lib/cli/store.ts';
import { recordTrace } from '#lib/store/traces.ts';
import { createDatabase } from '../support/database.ts';
import { forgetMade } from '../support/made.ts';
import { cli, failure, json } from './command-line.ts';

const password = 'correct horse battery staple';
const callback = 'https://kiln.example/cb';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
  await json(['user', 'create', ...person('bob'), '--password', password]);
});

const person = (name: string) => ['--username', name, '--email', `${name}@example.org`];

test('contacts of a client are set and removed; approvals of nobody are none', async () => {
  await json(['client', 'create', '--name', 'All', '--id', 'all']);
  expect(await json(['client', 'update', 'all', '--contact', 'bob'])).toMatchObject({
    contacts: ['bob'],
  });
  expect(await json(['client', 'update', 'all', '--contact', ''])).toMatchObject({ contacts: [] });
  for (const args of [[], ['--user', 'bob'], ['--client', 'all']])
    expect((await json(['grants', 'list', ...args])).grants).toEqual([]);
  for (const args of [[], ['--client', 'all']])
    expect(await json(['grants', 'revoke', '--user', 'bob', ...args])).toEqual({ revoked: 0 });
});

test('trace: an attempt is listed by every filter, and shown by its id or the id of a request', async () => {
  await json(['client', 'create', '--id', 'traced', '--name', 'Kiln', '--redirect-uri', callback]);
  const { id: userId } = await json(['user', 'show', 'bob']);
  const [attempt, requestId] = ['attempt-1', 'request-1'];
  await withStore(async () => {
    const request = { attempt, requestId, clientId: 'traced', userId: String(userId) };
    const facts = { received: `${callback}/`, expected: [callback] };
    const refusal = { code: null, rule: 'redirect-uri.differs' as const, reason: 'It differs.' };
    recordTrace(
      {
        ...request,
        step: 'token',
        outcome: 'refused',
        behind: 'app',
        refusal: { ...refusal, ...facts },
      },
      new Date(),
    );
  });
  const listed = {
    id: attempt,
    client_id: 'traced',
    username: 'bob',
    reason: 'redirect-uri.differs',
  };
  const filters = [
    ['--client', 'traced', '--user', 'bob', '--outcome', 'refused', '--failed'],
    ['--reason', 'redirect-uri.differs', '--request', requestId, '--since', '1h'],
  ];
  for (const filter of filters)
    expect(await json(['trace', 'list', ...filter])).toMatchObject({
      traces: [listed],
      next: null,
    });
  for (const filter of [
    ['--outcome', 'done'],
    ['--reason', 'other'],
    ['--request', 'r'],
    ['--until', '1h'],
  ])
    expect(await json(['trace', 'list', ...filter])).toEqual({ traces: [], next: null });
  const step = { request_id: requestId, received: `${callback}/`, expected: [callback] };
  for (const id of [attempt, requestId])
    expect(await json(['trace', 'show', id])).toMatchObject({ ...listed, steps: [step] });
  const { stdout } = await cli(['trace', 'show', attempt]);
  expect(stdout).toContain(`received  ${callback}/`);
});

test('trace: shows the command that mends a refused request, which can be run as it is', async () => {
  await json(['client', 'create', '--id', 'mended', '--name', 'Kiln', '--redirect-uri', callback]);
  const left = new URL('/left', callback).href;
  // The store of the test before is closed.
  forgetMade();
  await withStore(async () => {
    const request = {
      attempt: 'attempt-2',
      requestId: 'request-2',
      clientId: 'mended',
      userId: null,
    };
    const rule = 'post-logout.unregistered' as const;
    recordTrace(
      {
        ...request,
        step: 'sign-out',
        outcome: 'refused',
        behind: 'nobody',
        refusal: {
          code: null,
          rule,
          reason: 'It is not registered.',
          received: left,
          expected: [],
        },
      },
      new Date(),
    );
  });
  const { stdout } = await cli(['trace', 'show', 'attempt-2']);
  const command = /npm run cli -- (trace fix .*)/.exec(stdout)?.[1]?.split(' ') ?? [];
  expect(command).toEqual(['trace', 'fix', 'attempt-2', '--request', 'request-2']);
  await json(command);
  expect(await json(['client', 'show', 'mended'])).toMatchObject({
    post_logout_redirect_uris: [left],
  });
  expect((await cli(['trace', 'show', 'attempt-2'])).stdout).not.toContain('trace fix');
});

test.each([
  [['user', 'show', 'nobody']],
  [['user', 'disable', 'nobody']],
  [['user', 'enable', 'nobody']],
  [['user', 'delete', 'nobody']],
  [['user', 'set-admin', 'nobody']],
  [['user', 'reset-password', 'nobody', '--password', password]],
  [['user', 'create', ...person('bob'), '--password', password]],
  [['client', 'show', 'nobody']],
  [['client', 'update', 'nobody', '--name', 'x']],
  [['client', 'disable', 'nobody']],
  [['client', 'enable', 'nobody']],
  [['client', 'delete', 'nobody']],
  [['client', 'rotate-secret', 'nobody']],
  [['client', 'create']],
  [['client', 'create', '--name', 'x', '--redirect-uri', 'http://b.example/cb']],
  [['client', 'create', '--name', 'x', '--contact', 'nobody']],
  [['client', 'create', '--name', 'x', '--id-token-alg', 'none']],
  [['client', 'create', '--name', 'x', '--access-token-ttl', 'long']],
  [['client', 'create', '--name', 'x', '--network', '10.0.0.5/8']],
  [['client', 'create', '--name', 'x', '--max-sign-in-age', '5']],
  [['scope', 'delete', 'nothing']],
  [['scope', 'create', 'x']],
  [['provider', 'show', 'nothing']],
  [['provider', 'create', 'google', '--client-id', 'x']],
  [['provider', 'create', 'nothing', '--client-id', 'x']],
  [['provider', 'create', 'google', '--client-id', 'x', '--secret-file', 'not-here']],
  [['provider', 'update', 'nothing', '--name', 'x']],
  [['provider', 'delete', 'nothing']],
  [['group', 'create', 'one, two']],
  [['group', 'show', 'nothing']],
  [['group', 'update', 'nothing', '--name', 'x']],
  [['group', 'delete', 'nothing']],
  [['group', 'add', 'nothing', 'nobody']],
  [['group', 'remove', 'nothing', 'nobody']],
  [['group', 'list', '--user', 'nobody']],
  [['user', 'invite', '--email', 'a@example.org', '--group', 'nothing']],
  [['settings', 'set', 'nothing', 'on']],
  [['settings', 'set', 'CODE_TTL', 'soon']],
  [['settings', 'set', 'always_issue_new_refresh_token', 'off']],
  [['settings', 'set', 'SECURITY_PROFILE', 'lax']],
  [['grants', 'revoke']],
  [['grants', 'revoke', '--user', 'nobody']],
  [['grants', 'list', '--user', 'nobody']],
  [['grants', 'list', '--client', 'nobody']],
  [['trace', 'show', 'nothing']],
  [['trace', 'list', '--client', 'nobody']],
  [['trace', 'list', '--user', 'nobody']],
  [['trace', 'list', '--outcome', 'good']],
  [['trace', 'list', '--reason', 'nothing']],
  [['trace', 'list', '--since', 'soon']],
  [['keys', 'revoke', 'nothing']],
  [['keys', 'revoke']],
])('%j fails with one line, and prints nothing else', async (args) => {
  expect(await failure([...args, '--json'])).not.toMatch(/ at .*:\d+|Error:/);
});

test('a database that cannot be opened is reported in one line by a command', async () => {
  const before = process.env.DATABASE_URL;
  // There can be no folder below a file.
  process.env.DATABASE_URL = `file:${import.meta.filename}/here.db`;
  try {
    const { code, stdout, stderr } = await cli(['user', 'list', '--json']);
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
  } finally {
    process.env.DATABASE_URL = before;
  }
});
