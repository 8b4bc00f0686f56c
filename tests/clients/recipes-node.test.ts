import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { serverAddresses } from '#lib/recipes/fill.ts';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { followRecipe, listening, start } from './recipe-app.ts';
import { AppBrowser, allowAt, locationOf, newPerson } from './visit.ts';

// The texts of the recipes themselves, as they are pasted, run beside this server.
const house = await openHouse();

test('the addresses that recipes fill in are those of the metadata', async () => {
  const { issuer, discovery, ...addresses } = serverAddresses(house.issuer);
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

async function startNode(id: string): Promise<{ address: string; clientId: string }> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, clientId } = await followRecipe(house.issuer, id, { address });
  await listening(port, start(folder, process.execPath, ['server.mjs']));
  return { address, clientId };
}

test('the recipe for openid-client signs in', async () => {
  const { user, person } = await newPerson(house);
  const { address } = await startNode('openid-client');
  const signedIn = await new AppBrowser().signIn(person, `${address}/login`);
  expect(await signedIn.json()).toMatchObject({ sub: user.id, email: user.email });
});

test('the recipe for openid-client refuses what another browser started', async () => {
  const { person } = await newPerson(house);
  const { address } = await startNode('openid-client');
  const back = await allowAt(person, locationOf(await new AppBrowser().go(`${address}/login`)));
  expect((await new AppBrowser().go(back)).status).toBe(400);
});

test('the recipe for Express signs in', async () => {
  const { user, person } = await newPerson(house);
  const { address } = await startNode('express');
  const browser = new AppBrowser();
  expect(locationOf(await browser.signIn(person, `${address}/login`))).toBe('/');
  const home = await browser.go(`${address}/`);
  expect(await home.json()).toMatchObject({ sub: user.id, email: user.email });
});

test('the recipe for Next.js with Auth.js signs in', async () => {
  const { user, person } = await newPerson(house);
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder } = await followRecipe(house.issuer, 'nextjs', { address });
  const harness = `${import.meta.dirname}/next-auth-stand-in.mjs`;
  const args = ['--env-file=.env.local', harness, `${folder}/auth.js`, String(port)];
  const env = { AUTH_SECRET: 'what npx auth secret makes', AUTH_TRUST_HOST: 'true' };
  await listening(port, start(folder, process.execPath, args, env));
  const browser = new AppBrowser();
  const auth = `${address}/api/auth`;
  const { csrfToken } = (await (await browser.go(`${auth}/csrf`)).json()) as { csrfToken: string };
  const started = await browser.go(`${auth}/signin/gatehouse`, { csrfToken, callbackUrl: address });
  const finished = await browser.go(await allowAt(person, locationOf(started)));
  expect(locationOf(finished)).toBe(address);
  const session = await (await browser.go(`${auth}/session`)).json();
  expect(session).toMatchObject({ user: { name: 'Ada Lovelace', email: user.email } });
});

test('the recipe for a command-line tool signs in, at a port of its own', async () => {
  const { user, person } = await newPerson(house);
  const { folder } = await followRecipe(house.issuer, 'command-line-tool');
  const tool = start(folder, process.execPath, ['sign-in.mjs']);
  if (!tool.stdout) throw new Error('The tool has no output.');
  const lines = createInterface(tool.stdout)[Symbol.asyncIterator]();
  const [, asked = ''] = /^Open (.*)$/.exec((await lines.next()).value ?? '') ?? [];
  expect(asked, tool.complaints()).toContain(house.issuer);
  await fetch(await allowAt(person, asked));
  expect((await lines.next()).value).toBe(`Signed in as ${user.username}`);
});

test('the recipe for a service gets a token', async () => {
  const { text } = await followRecipe(house.issuer, 'service');
  const answer = execFileSync('sh', ['-ec', text('Ask for a token')], { encoding: 'utf8' });
  expect(JSON.parse(answer)).toMatchObject({
    token_type: 'Bearer',
    access_token: expect.any(String),
  });
});
