import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { approveApp, refuseApp } from '#lib/management/approval/new-apps.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { blockHost, unblockHost } from '#lib/management/host/hosts.ts';
import { findClientRequest, mostWaitingApps } from '#lib/store/client-requests.ts';
import { findClient } from '#lib/store/clients.ts';
import { write } from '#lib/store/engine/database.ts';
import { me, post } from '../support/app.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, type Person } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { set } from '../support/settings.ts';
import { attemptWith } from '../support/traces.ts';

const site = await openDocumentSite();
const server = await openServer({
  ...site.env,
  CLIENT_DOCUMENT_HOSTS: '*.client.test',
  APPROVE_NEW_APPS: 'on',
});
const cli = { id: 'cli' };
const pkce = newPkce();
const callback = 'https://app.client.test/callback';
const submit = '/approval/submit';

/** An app with a metadata document that no one has used yet. */
function newApp(members: Record<string, unknown> = {}) {
  const host = `h${randomBytes(6).toString('hex')}.client.test`;
  const id = site.id(host);
  site.serve(id, { client_name: 'Weather', redirect_uris: [callback], ...members });
  return { id, host };
}

const ask = (who: Person, id: string, more: Record<string, string> = {}) => {
  const params = { client_id: id, response_type: 'code', redirect_uri: callback, state: 'S' };
  return who.open(authorizePath({ ...params, ...pkce.challenge, ...more }));
};

async function tokensAt(id: string, page: Page) {
  const { body } = await post(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: id,
    code: answerOf(page).code ?? '',
    redirect_uri: callback,
    code_verifier: pkce.verifier,
  });
  return String(body.access_token);
}

test('a user requests approval of an app, an admin approves it, and the request goes on to consent', async () => {
  const person = await newPerson(server);
  const app = newApp();
  const waits = await ask(person, app.id);
  expect(waits.at).toMatch(/^\/approval\?/);
  expect(textOf(waits.html)).toContain(`${app.host} needs an administrator’s approval`);
  // Opening the page does not ask for approval yet, because any page could lead a person here.
  expect(await findClientRequest(app.id)).toBeNull();
  const asked = await person.submit(waits, submit);
  expect(textOf(asked.html)).toContain('It’s in their queue');
  expect(asked.forms.some(({ action }) => action === submit)).toBe(false);
  expect(await findClientRequest(app.id)).toMatchObject({ userId: person.user.id, decision: null });
  expect(await findClient(app.id)).toBeNull();

  await approveApp(app.id, cli, new Date());
  const consent = await person.open(asked.at);
  expect(consent.at).toMatch(/^\/consent\?/);
  const token = await tokensAt(app.id, await person.decide(consent, 'allow'));
  expect((await me(server, token)).status).toBe(200);
  const { rows } = await listAudit({ clientId: app.id });
  const types = rows.map(({ type }) => type);
  for (const type of ['client.requested', 'client.approved', 'client.introduced'])
    expect(types).toContain(type);
});

test.each(['approval.needed', 'approval.refused'] as const)(
  'the link back to the app gives access_denied with state, iss and the request id: %s',
  async (rule) => {
    const person = await newPerson(server);
    const app = newApp();
    if (rule === 'approval.refused') {
      await person.submit(await ask(person, app.id), submit);
      await refuseApp(app.id, cli, new Date());
    }
    const stopped = await ask(person, app.id);
    const [back] = /\/oauth\/cancel\?flow=[^"]+/.exec(stopped.html) ?? [];
    const answer = answerOf(await person.open(String(back)));
    expect(answer).toMatchObject({
      error: 'access_denied',
      state: 'S',
      iss: server.issuer,
      error_uri: expect.stringContaining(`${server.issuer}/docs/errors/access_denied?request=`),
    });
    const requestId = new URL(answer.error_uri ?? '').searchParams.get('request') ?? '';
    expect((await attemptWith(requestId)).trace).toMatchObject({ rule, steps: [{ requestId }] });
  },
);

test('a user who opens a refused app reads that an admin refused it', async () => {
  const person = await newPerson(server);
  const app = newApp();
  const asked = await person.submit(await ask(person, app.id), submit);
  await refuseApp(app.id, cli, new Date());
  const page = await person.open(asked.at);
  expect(textOf(page.html)).toContain('An administrator has refused this app');
  expect(page.forms.some(({ action }) => action === submit)).toBe(false);
});

test('approval cannot be bypassed by the consent page or a consent form sent to it', async () => {
  const person = await newPerson(server);
  const app = newApp();
  const waits = await ask(person, app.id);
  const flow = new URL(waits.at, server.base).searchParams.get('flow') ?? '';
  expect((await person.open(`/consent?flow=${flow}`)).at).toMatch(/^\/approval\?/);
  const { body, headers } = person.postOf(waits, submit, {
    decision: 'allow',
    period: 'until-removed',
  });
  const posted = await person.open('/consent/submit', { method: 'POST', body, headers });
  expect(posted.at).toMatch(/^\/approval\?/);
  expect(await findClient(app.id)).toBeNull();
});

test('consent for an app that is refused meanwhile is not taken', async () => {
  const person = await newPerson(server);
  const app = newApp();
  await person.submit(await ask(person, app.id), submit);
  await approveApp(app.id, cli, new Date());
  const consent = await ask(person, app.id);
  await refuseApp(app.id, cli, new Date());
  expect((await person.decide(consent, 'allow')).at).toMatch(/^\/approval\?/);
  expect(await findClient(app.id)).toBeNull();
});

test('a request for approval without a session leads to sign-in, and is not stored', async () => {
  const person = await newPerson(server);
  const app = newApp();
  const waits = await ask(person, app.id);
  await person.signOut();
  const { body, headers } = person.postOf(waits, submit);
  const posted = await person.open(submit, { method: 'POST', body, headers });
  expect(posted.at).toMatch(/^\/login/);
  expect(await findClientRequest(app.id)).toBeNull();
});

test.each([
  ['without its hidden value', { csrf: '' }, {}],
  ['from another site', {}, { Origin: 'https://evil.example' }],
])('a request for approval %s is refused', async (_, fields, headers) => {
  const person = await newPerson(server);
  const app = newApp();
  const sent = person.postOf(await ask(person, app.id), submit, fields);
  const all = { ...sent.headers, ...headers };
  const answer = await person.request(submit, { method: 'POST', body: sent.body, headers: all });
  expect(answer.status).toBe(403);
  expect(await findClientRequest(app.id)).toBeNull();
});

test('a user has a limited number of apps waiting for approval; one more is refused, and can be sent again', async () => {
  const person = await newPerson(server);
  for (let each = 0; each < mostWaitingApps.ofOne; each += 1)
    await person.submit(await ask(person, newApp().id), submit);
  const app = newApp();
  const full = await person.submit(await ask(person, app.id), submit);
  expect(textOf(full.html)).toContain('Too many apps are already waiting for an administrator');
  expect(await findClientRequest(app.id)).toBeNull();
  await write('DELETE FROM client_requests WHERE user_id = $1', [person.user.id]);
  expect(textOf((await person.submit(full, submit)).html)).toContain('It’s in their queue');
});

test('prompt=none for an app that needs approval is consent_required', async () => {
  const person = await newPerson(server);
  const app = newApp();
  const page = await ask(person, app.id, { prompt: 'none' });
  expect(answerOf(page).error).toBe('consent_required');
});

test('blocking a host ends its app’s authorization requests, codes and tokens immediately', async () => {
  const person = await newPerson(server);
  const app = newApp();
  await person.submit(await ask(person, app.id), submit);
  await approveApp(app.id, cli, new Date());
  const consent = await ask(person, app.id);
  const token = await tokensAt(app.id, await person.decide(consent, 'allow'));
  const again = await person.decide(await ask(person, app.id, { prompt: 'consent' }), 'allow');
  await blockHost(app.host, cli, new Date());
  expect((await me(server, token)).status).toBe(401);
  const { code = '' } = answerOf(again);
  const late = await post(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.id,
    code,
    redirect_uri: callback,
    code_verifier: pkce.verifier,
  });
  expect([late.status, late.body.error]).toEqual([401, 'invalid_client']);
  expect((await ask(person, app.id)).status).toBe(400);
  await unblockHost(app.host, cli, new Date());
  expect((await me(server, token)).status).toBe(401);
});

test('without APPROVE_NEW_APPS a new app goes straight to consent', async () => {
  await expect(set('APPROVE_NEW_APPS', 'off')).rejects.toThrow();
  const open = await server.another({
    ...site.env,
    CLIENT_DOCUMENT_HOSTS: '*.client.test',
    APPROVE_NEW_APPS: 'off',
  });
  const person = await newPerson(open);
  const app = newApp();
  expect((await ask(person, app.id)).at).toMatch(/^\/consent\?/);
});
