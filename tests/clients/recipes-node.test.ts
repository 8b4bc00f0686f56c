import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { serverAddresses } from '#lib/recipes/fill.ts';
import { openServer } from '../support/open-server.ts';
import { followRecipe, start } from './recipe-app.ts';
import { allowAt, denyAt, newPerson } from './visit.ts';

// The texts of the recipes, exactly as people paste them, run beside this server.
const server = await openServer();

test('the URLs that recipes fill in are those of the metadata', async () => {
  const { issuer, discovery, ...addresses } = serverAddresses(server.issuer);
  const metadata = await (await fetch(discovery)).json();
  expect(metadata).toMatchObject({
    issuer,
    authorization_endpoint: addresses.authorize,
    token_endpoint: addresses.token,
    userinfo_endpoint: addresses.userinfo,
    jwks_uri: addresses.jwks,
    end_session_endpoint: addresses.logout,
    revocation_endpoint: addresses.revoke,
    introspection_endpoint: addresses.introspect,
    device_authorization_endpoint: addresses.device,
  });
  expect(Object.keys(addresses)).toHaveLength(8);
});

/** The tool of its recipe and the lines that it prints. The first one asks to open an address. */
async function startTool() {
  const { folder } = await followRecipe(server.issuer, 'command-line-tool');
  const tool = start(folder, process.execPath, ['sign-in.mjs']);
  const lines = createInterface(tool.stdout as Readable)[Symbol.asyncIterator]();
  const [, asked = ''] = /^Open (.*)$/.exec((await lines.next()).value ?? '') ?? [];
  expect(asked, tool.complaints()).toContain(server.issuer);
  return { tool, lines, asked };
}

test('the recipe for a command-line tool signs in, on a port of its own', async () => {
  const { user, person } = await newPerson(server);
  const { lines, asked } = await startTool();
  await fetch(await allowAt(person, asked));
  expect((await lines.next()).value).toBe(`Signed in as ${user.username}`);
});

test('the recipe for a command-line tool handles access_denied', async () => {
  const { person } = await newPerson(server);
  const { tool, asked } = await startTool();
  const ended = once(tool, 'close');
  const answer = await fetch(await denyAt(person, asked));
  expect(await answer.text()).toContain('You said no.');
  expect(await ended).toEqual([1, null]);
  expect(tool.complaints()).toBe('You said no. To try again, run this again.\n');
});

test('the recipe for a command-line tool takes only the answer to its own request', async () => {
  const { user, person } = await newPerson(server);
  const { lines, asked } = await startTool();
  const stranger = await startTool();
  const { searchParams } = await allowAt((await newPerson(server)).person, stranger.asked);
  const port = new URL(asked).searchParams.get('redirect_uri') ?? '';
  const forged: (Record<string, string> | URLSearchParams)[] = [
    searchParams,
    { code: searchParams.get('code') ?? '' },
    { error: 'access_denied' },
    { error: 'access_denied', state: 'undefined' },
  ];
  for (const each of forged)
    expect((await fetch(`${port}?${new URLSearchParams(each)}`)).status).toBe(404);
  await fetch(await allowAt(person, asked));
  expect((await lines.next()).value).toBe(`Signed in as ${user.username}`);
});

test('the recipe for a service gets a token', async () => {
  const { text } = await followRecipe(server.issuer, 'service');
  const answer = execFileSync('sh', ['-ec', text('Ask for a token')], { encoding: 'utf8' });
  expect(JSON.parse(answer)).toMatchObject({
    token_type: 'Bearer',
    access_token: expect.any(String),
  });
});
