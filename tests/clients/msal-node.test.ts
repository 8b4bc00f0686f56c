import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { converse } from './converse.ts';
import { forwardTo, listenHttps } from './https.ts';
import { folderFromNpm } from './npm-packages.ts';
import { allowAt, denyAt, newPerson, openAt } from './visit.ts';

// The library takes only https.
const front = await listenHttps();
const server = { ...(await openServer({ ISSUER: front.origin })), issuer: front.origin };
front.server.on('request', forwardTo(server.port));
const own = mkdtempSync(join(tmpdir(), 'msal-node-'));
const certificate = join(own, 'certificate.pem');
writeFileSync(certificate, front.certificate);
afterAll(async () => {
  await front.stop();
  rmSync(own, { recursive: true });
});

const folder = await folderFromNpm('@azure/msal-node', '7.2.3');
const script = join(import.meta.dirname, 'msal-node-app.ts');

/** Runs the app until it has learned the answer to its request. */
async function runApp(decide: typeof allowAt) {
  const { user, person } = await newPerson(server);
  const bye = 'https://app.example/bye';
  const client = await newClient({ postLogoutRedirectUris: [bye] });
  const env = {
    FOLDER: folder ?? '',
    ISSUER: server.issuer,
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret,
    REDIRECT_URI: client.redirectUri,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const told = await converse({ command: process.execPath, args: [script], env }, (url) =>
    decide(person, url),
  );
  return { user, person, bye, told };
}

test.skipIf(!folder)('msal-node: signs in, renews twice, and signs out by address', async () => {
  const { user, person, bye, told } = await runApp(allowAt);
  const tokens = told.tokens as string[];
  expect(told).toMatchObject({ sub: user.id, accounts: 0 });
  expect(new Set(tokens).size).toBe(3);
  expect((await me(server, tokens[2] ?? '')).body.username).toBe(user.username);

  // It has no function for this. Its samples send people here.
  const to = new URLSearchParams({ post_logout_redirect_uri: bye });
  const page = await openAt(person, `${server.issuer}/oauth/logout?${to}`);
  expect((await person.submit(page, '/logout/submit')).at).toBe(bye);
  expect(await isSignedIn(person)).toBe(false);
});

test.skipIf(!folder)('msal-node: is told of a denial', async () => {
  const { told } = await runApp(denyAt);
  expect(told).toMatchObject({ error: 'access_denied', state: 'the state' });
});
