import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { join as enter } from '../openid/memberships.ts';
import { me, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { programFromGo, programWithGo } from './go-programs.ts';
import { forwardTo, listenHttps } from './https.ts';
import { followRecipe, start } from './recipe-app.ts';
import { allowAt, denyAt, newPerson, openAt } from './visit.ts';

// `step oauth`, with which people get tokens for step-ca, and what step-ca makes of them. Both take
// only https. It has no command to renew or to sign out: what it prints is for other programs.
const front = await listenHttps();
const server = { ...(await openServer({ ISSUER: front.origin })), issuer: front.origin };
front.server.on('request', forwardTo(server.port));
const own = mkdtempSync(join(tmpdir(), 'step-'));
writeFileSync(join(own, 'certificate.pem'), front.certificate);
afterAll(async () => {
  await front.stop();
  rmSync(own, { recursive: true });
});

const step = await programFromGo('github.com/smallstep/cli/cmd/step@v0.30.2');
const source = join(import.meta.dirname, 'go/provisioner.go');
const provisioner = await programWithGo(source, 'github.com/smallstep/certificates@v0.30.2');

const env = {
  SSL_CERT_FILE: join(own, 'certificate.pem'),
  STEPPATH: own,
  HOME: own,
  STEP_OPEN_BROWSER: '0',
};

type Printed = { access_token: string; id_token: string; refresh_token: string };

/** Runs `step oauth` with the client of a recipe, up to the address that it prints. */
async function runStep(recipe: string, ...more: string[]) {
  const { clientId } = await followRecipe(server.issuer, recipe);
  const scopes = ['openid', 'profile', 'email', 'groups', 'offline_access'];
  const asked = ['--client-id', clientId, ...scopes.flatMap((each) => ['--scope', each])];
  const args = ['oauth', '--provider', server.issuer, ...asked, ...more];
  const child = start(own, step ?? '', args, env);
  const printed = text(child.stdout as Readable);
  const ended = once(child, 'exit');
  // On a line of its own, or at the end of one with a colon after it.
  const shown = /(?:^|Visit )(https:\S+[^:\s]):?$/m;
  await expect.poll(() => child.complaints(), { timeout: 20_000 }).toMatch(shown);
  const [, address = ''] = shown.exec(child.complaints()) ?? [];
  return { clientId, address, printed, ended, child };
}

/** What step-ca says to an ID token, with the settings of its provisioner. */
async function provision(clientID: string, token: string, more: object) {
  const configurationEndpoint = `${server.issuer}/.well-known/openid-configuration`;
  const settings = { type: 'OIDC', name: 'house', clientID, configurationEndpoint, ...more };
  const args = [JSON.stringify(settings), token];
  const said = await promisify(execFile)(provisioner ?? '', args, {
    env: { ...process.env, ...env },
  }).catch((refusal: { stdout: string; stderr: string }) => refusal);
  return (said.stdout + said.stderr).trim();
}

test.skipIf(!step)('step: signs in with the recipe’s client, for any port', async () => {
  const { user, person } = await newPerson(server);
  const { clientId, address, printed, ended } = await runStep('command-line-tool');
  const shown = await (await fetch(await allowAt(person, address))).text();
  expect(shown).toContain('Success');
  expect((await ended)[0]).toBe(0);
  const tokens: Printed = JSON.parse(await printed);
  expect((await me(server, tokens.access_token)).body.username).toBe(user.username);
  const renewed = await refresh(server, tokens.refresh_token, { client_id: clientId });
  expect(renewed.status).toBe(200);
});

test.skipIf(!step)('step: says what a denial says', async () => {
  const { person } = await newPerson(server);
  const { address, ended, child } = await runStep('command-line-tool');
  const shown = await (await fetch(await denyAt(person, address))).text();
  expect(shown).toContain('access_denied');
  expect((await ended)[0]).toBe(1);
  expect(child.complaints()).toContain('Failed to authenticate: access_denied');
});

test.skipIf(!step)('step: signs in at a terminal, with the code in the address', async () => {
  const { user, person } = await newPerson(server);
  await person.signIn();
  const { address, printed, ended } = await runStep('device', '--console');
  const page = await person.submit(await openAt(person, address), '/device/submit');
  await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
  expect((await ended)[0]).toBe(0);
  const tokens: Printed = JSON.parse(await printed);
  expect((await me(server, tokens.access_token)).body.username).toBe(user.username);
});

test.skipIf(!step || !provisioner)(
  'step-ca: gives certificates by group and domain, to admins more, and only with its own nonce',
  async () => {
    const { user, person } = await newPerson(server);
    await enter(user.id, 'engineers');
    const { clientId, address, printed } = await runStep('command-line-tool');
    await fetch(await allowAt(person, address));
    const { id_token }: Printed = JSON.parse(await printed);
    const domain = user.email.split('@')[1] ?? '';
    const judge = (more: object) => provision(clientId, id_token, more);
    expect(await judge({ domains: [domain], groups: ['engineers'] })).toBe('true false');
    expect(await judge({ admins: ['engineers'] })).toBe('true true');
    expect(await judge({ groups: ['others'] })).toContain('invalid group');
    expect(await judge({ domains: ['other.example'] })).toContain('is not allowed');
    expect(await judge({ clientID: 'another' })).toContain('failed to validate oidc token');
  },
);
