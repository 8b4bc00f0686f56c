import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { me } from '../support/app.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { followRecipe, start } from './recipe-app.ts';
import { allowAt, denyAt, newPerson } from './visit.ts';

// oidc-agent holds tokens for programs at a terminal. It is set up with the client of the recipe for
// command-line tools.
const server = await openServer();
const isHere = await haveDebianPackages('oidc-agent-cli');

/** Runs the agent, and sets an account up in it. Returns what its browser was shown at the end. */
async function setUp(decide: typeof allowAt) {
  const { user, person } = await newPerson(server);
  const { clientId } = await followRecipe(server.issuer, 'command-line-tool');
  const home = mkdtempSync(join(tmpdir(), 'oidc-agent-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const socket = join(home, 'socket');
  const password = { OIDC_ENCRYPTION_PW: 'a password for its files' };
  const env = { HOME: home, OIDC_CONFIG_DIR: join(home, 'config'), OIDC_SOCK: socket, ...password };
  const run = (command: string, ...args: string[]) => {
    const { status, stdout } = spawnSync(command, args, { env: { ...process.env, ...env } });
    return { status, said: String(stdout).trim() };
  };
  start(home, 'oidc-agent', ['--console', `--socket-path=${socket}`, '--no-scheme'], env);
  while (!existsSync(socket)) await new Promise((done) => setTimeout(done, 50));

  const account = [
    'house',
    `--issuer=${server.issuer}`,
    `--client-id=${clientId}`,
    '--client-secret=',
    '--flow=code',
    `--redirect-uri=http://localhost:${await freePort()}`,
    '--scope=openid profile email offline_access',
    '--no-url-call',
    '--pw-env',
    '--prompt=none',
    '--confirm-default',
  ];
  const asking = start(home, 'oidc-gen', account, env);
  const ended = once(asking, 'exit');
  let shown = '';
  for await (const line of createInterface(asking.stderr as Readable)) {
    if (!line.startsWith(`${server.issuer}/oauth/authorize`)) continue;
    shown = await (await fetch(await decide(person, line))).text();
    if (!shown.includes('Success')) break;
  }
  return { user, shown, run, ended };
}

test.skipIf(!isHere)('oidc-agent: signs in, renews twice, and revokes what it has', async () => {
  const { user, run, ended } = await setUp(allowAt);
  expect((await ended)[0]).toBe(0);
  const tokens = [1, 2].map(() => run('oidc-token', '--force-new', 'house').said);
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect((await me(server, token)).body.username).toBe(user.username);

  expect(run('oidc-gen', '--delete', 'house', '--pw-env', '--confirm-yes').status).toBe(0);
  for (const token of tokens) expect((await me(server, token)).status).toBe(401);
});

test.skipIf(!isHere)('oidc-agent: says what a denial says', async () => {
  const { shown } = await setUp(denyAt);
  expect(shown).toContain('access_denied');
});
