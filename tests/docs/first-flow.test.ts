import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apart } from '../support/apart.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type Server, startServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';

const run = promisify(execFile);
const page = readFileSync('docs/start.md', 'utf8');

let databaseUrl: string;
let server: Server;
beforeAll(async () => {
  databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('first-flow') });
});
afterAll(() => server.stop());

test('the first flow of docs/start.md works as written, from creating a user to the refreshed token', async () => {
  const [made = '', , flow = '', refresh = ''] = blocksAfter('## Make a person and an app');
  const env = {
    ...apart(),
    NODE_ENV: 'production' as const,
    DATABASE_URL: databaseUrl,
    ...sharedEnv,
  };
  const [user = '', client = ''] = made
    .split('\n')
    .map((line) => line.replace('npm run cli --', 'node lib/cli.ts'));
  const making = run('sh', ['-c', `${user} --json`], { env });
  making.child.stdin?.end('let me through the gate\n');
  await making;
  const { client_id, client_secret } = JSON.parse(
    (await run('sh', ['-c', `${client} --json`], { env })).stdout,
  );

  const given = { BASE: server.origin, USERNAME: 'ada', PASSWORD: 'let me through the gate' };
  const variables = { ...apart(), ...given, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const shell = { env: { ...variables, NODE_ENV: 'production' as const } };
  const { stdout, stderr } = await run('sh', ['-ec', `${flow}\necho\n${refresh}`], shell);
  expect(stderr).toBe('');
  const [tokens, person, refreshed] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'profile email' });
  expect(person).toMatchObject({ username: 'ada', email: 'ada@example.org' });
  expect(refreshed).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) });
  expect(flow.match(/\bcurl\b/g)).toHaveLength(5);
});

/** The fenced shell blocks after a heading. */
function blocksAfter(heading: string): string[] {
  const rest = page.slice(page.indexOf(`\n${heading}\n`));
  return [...rest.matchAll(/```sh\n(.*?)\n```/gs)].map(([, block = '']) => block);
}
