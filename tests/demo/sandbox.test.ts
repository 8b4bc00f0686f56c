import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { apart } from '../support/apart.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-sandbox-test-'));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/**
 * The command on a page, with this checkout in place of npm, and with a test of ours in place of
 * the reader's.
 */
function commandOf(page: string, own = ''): string {
  const block = blocksOf(page).find(({ runBy }) => runBy === 'tests/demo/sandbox.test.ts');
  return (block?.text ?? '')
    .replace('npm run sandbox', `exec "${process.execPath}" "${root}/lib/demo/sandbox.ts"`)
    .replace(/^(exec "\S+" "\S+") -- /, '$1 ')
    .replace(/-- npm test$/, own);
}

function run(command: string) {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...apart(), NODE_ENV: 'production', INIT_CWD: folder },
  });
  running.add(child.on('exit', () => running.delete(child)));
  const [said, complained] = [text(child.stdout), text(child.stderr)];
  return { child, said, complained, ended: once(child, 'close') };
}

/**
 * What a reader's test could do: check everything that it was told, and use the sandbox as its own.
 */
const theirTest = `
const { env } = process;
const discovery = env.GATEHOUSE_ISSUER + '/.well-known/openid-configuration';
const { token_endpoint, authorization_endpoint } = await (await fetch(discovery)).json();
const asking = new URL(authorization_endpoint);
asking.search = new URLSearchParams({
  response_type: 'code', client_id: env.GATEHOUSE_CLIENT_ID, redirect_uri: 'http://localhost:5173/callback',
});
const asked = await fetch(asking, { redirect: 'manual' });
const refused = await fetch(token_endpoint, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code', code: 'x',
    client_id: env.GATEHOUSE_CLIENT_ID, client_secret: env.GATEHOUSE_CLIENT_SECRET,
  }),
});
console.log(JSON.stringify({
  folder: process.cwd(), issuer: env.GATEHOUSE_ISSUER, to: asked.headers.get('location'),
  error: (await refused.json()).error,
  people: [env.GATEHOUSE_USERNAME, env.GATEHOUSE_OTHER_USERNAME, env.GATEHOUSE_PASSWORD],
}));
process.exit(7);
`;

// docs/guides/testing.md
test('the sandbox runs a command beside a server of its own, which is gone afterwards', {
  timeout: 120_000,
}, async () => {
  writeFileSync(resolve(folder, 'their-test.mjs'), theirTest);
  const own = `-- "${process.execPath}" their-test.mjs`;
  const { said, complained, ended } = run(commandOf('docs/guides/testing.md', own));
  expect([...(await ended)], await complained).toEqual([7, null]);
  const told = JSON.parse(await said);
  expect(told).toMatchObject({
    folder,
    to: expect.stringMatching(/^\/login\?flow=/),
    error: 'invalid_grant',
    people: ['ada', 'grace', 'let me through the gate'],
  });
  await expect(fetch(told.issuer)).rejects.toThrow('fetch failed');
});

test('the sandbox applies a configuration file first, and ends with the reason if it is wrong', {
  timeout: 120_000,
}, async () => {
  const file = (text: string) => writeFileSync(resolve(folder, 'gatehouse.yaml'), text);
  const sandbox = `exec "${process.execPath}" "${root}/lib/demo/sandbox.ts" --file gatehouse.yaml --`;
  file('settings: {REQUIRE_PKCE: "on"}');
  const asking = `
    const { GATEHOUSE_ISSUER: issuer, GATEHOUSE_CLIENT_ID: client_id } = process.env;
    const redirect_uri = 'http://127.0.0.1:4711/callback';
    const asked = new URLSearchParams({ response_type: 'code', client_id, redirect_uri });
    const answer = await fetch(issuer + '/oauth/authorize?' + asked, { redirect: 'manual' });
    console.log(answer.headers.get('location'));
  `;
  writeFileSync(resolve(folder, 'ask.mjs'), asking);
  const { said, ended } = run(`${sandbox} "${process.execPath}" ask.mjs`);
  expect((await ended)[0]).toBe(0);
  expect(await said).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?.*code_challenge/);
  file('settings: {NO_SUCH_SETTING: "on"}');
  const wrong = run(`${sandbox} true`);
  expect((await wrong.ended)[0]).toBe(1);
  expect(await wrong.complained).toContain('NO_SUCH_SETTING');
});

// docs/guides/local-development.md
test('the sandbox without a command prints its environment variables, and runs until Ctrl-C', {
  timeout: 120_000,
}, async () => {
  const { child, said, ended } = run(commandOf('docs/guides/local-development.md'));
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect([...(await ended)]).toEqual([0, null]);
  expect(await said).toMatch(/^GATEHOUSE_ISSUER='http:\/\/localhost:\d+'$/m);
  expect(await said).toMatch(/^GATEHOUSE_CLIENT_SECRET='gh_cs_\S+'$/m);
});

test('the sandbox ends with its usage for an unknown option', async () => {
  const { complained, ended } = run(
    `exec "${process.execPath}" "${root}/lib/demo/sandbox.ts" --never`,
  );
  expect((await ended)[0]).toBe(1);
  expect(await complained).toMatch(/--never[\s\S]*Usage: npm run sandbox/);
});
