import { afterEach, describe, expect, test } from 'vitest';
import { proveAppPassword } from '#lib/access/app-password.ts';
import { appPasswordHash, newAppPassword } from '#lib/identity/app-passwords.ts';
import { makeLink } from '#lib/mail/links.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createTerms, endTerms, listTerms } from '#lib/management/terms/terms.ts';
import { ownData } from '#lib/management/user/own-data.ts';
import { digest, newId } from '#lib/oauth/secrets.ts';
import { storeAppPassword } from '#lib/store/app-passwords.ts';
import { findClient } from '#lib/store/clients.ts';
import { write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { listAnswersOf } from '#lib/store/terms.ts';
import { findUser, findUserByLogin } from '#lib/store/users.ts';
import { unique } from '../management/people.ts';
import { post } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { type ClientOptions, newClient, newUser, type TestClient } from '../support/seed.ts';
import { stepOf } from '../support/traces.ts';

const server = await openServer({});
const cli = { id: 'cli' };
const pkce = newPkce();
const submit = '/login/terms/submit';
const texts = { any: 'Be **kind**.', de: 'Seien Sie *nett*.' };

type More = { days?: number; clientId?: string };

async function newTerms({ days = 14, clientId }: More = {}) {
  return createTerms({ name: unique('terms'), texts, days, clientId }, cli, new Date());
}

/** As if the time to think were over. */
async function overdue(name: string): Promise<void> {
  const at = new Date(Date.now() - 1000);
  await write('UPDATE terms SET required_from = :at WHERE name = :name', { at, name });
  await raiseRevision();
}

// Otherwise they would be asked of everyone in the other tests.
afterEach(async () => {
  for (const { name, endedAt } of await listTerms(new Date()))
    if (endedAt === null) await endTerms(name, cli, new Date());
});

const ask = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', ...pkce.challenge, ...more });
const redeem = (client: TestClient, code = '') =>
  post(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client.id,
    code,
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
  });
const refresh = (client: TestClient, token: unknown) =>
  post(server, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: client.id,
    refresh_token: String(token),
  });
const newApp = (more: ClientOptions = {}) =>
  newClient({ type: 'public', grants: ['authorization_code', 'refresh_token'], ...more });

test('a new version is asked after the sign-in, can be put off, and has to be agreed to in the end', async () => {
  const { name } = await newTerms();
  const user = await newUser();
  const person = new Person(server, user.username);
  person.language = 'de-AT';
  const asked = await person.signIn();
  expect(asked.at).toBe('/login/terms');
  expect(asked.html).toContain('Seien Sie <em>nett</em>.');
  expect((await person.submit(asked, submit, { answer: 'later' })).at).toBe('/account');
  const client = await newApp();
  // Nobody is asked again today, and nobody is interrupted.
  const consent = await person.open(ask(client));
  expect(consent.at).toMatch(/^\/consent\?/);
  await person.decide(consent, 'allow');

  await overdue(name);
  const required = await person.open(ask(client));
  expect(required.at).toMatch(/^\/login\/terms\?flow=/);
  expect(required.forms[0]?.buttons.map(({ value }) => value)).toEqual(['agreed', 'declined']);
  // A form of before is no way around.
  expect((await person.submit(required, submit, { answer: 'later' })).at).toBe(required.at);
  const gone = await person.submit(required, submit, { answer: 'agreed' });
  expect(answerOf(gone).code).toBeDefined();
  const [answer] = await listAnswersOf(user.id);
  expect(answer).toMatchObject({
    name,
    answer: 'agreed',
    language: 'de',
    digest: digest(texts.de),
  });
  const { rows } = await listAudit({ userId: user.id });
  expect(rows.find(({ type }) => type === 'terms.agreed')?.detail).toMatchObject({
    name,
    language: 'de',
    digest: digest(texts.de),
  });
  expect((await person.open('/login/terms')).at).toBe('/account');
});

test('whoever declines is signed out and told so, and loses nothing', async () => {
  await newTerms({ days: 0 });
  const user = await newUser();
  const person = new Person(server, user.username);
  const asked = await person.signIn();
  const left = await person.submit(asked, submit, { answer: 'declined' });
  expect(left.at).toMatch(/^\/logout\/done\?terms=declined/);
  expect(textOf(left.html)).toContain('Nothing was deleted');
  expect((await person.open('/account')).at).toMatch(/^\/login/);
  const again = await person.signIn();
  expect(again.at).toBe('/login/terms');
  // Their account is theirs, whatever they think of the terms.
  expect((await person.open('/account')).at).toBe('/account');
  expect((await person.open('/account/your-data')).status).toBe(200);
  expect((await person.submit(again, submit, { answer: 'agreed' })).at).toBe('/account');
  const answers = await listAnswersOf(user.id);
  expect(answers.map(({ answer }) => answer)).toEqual(['agreed']);
});

test('the answer counts only for the terms that were shown', async () => {
  const first = await newTerms({ days: 0 });
  const user = await newUser();
  const person = new Person(server, user.username);
  const asked = await person.signIn();
  const wrong: Record<string, string>[] = [
    { language: 'fr' },
    { language: '__proto__' },
    { terms: 'other' },
    { answer: 'x' },
  ];
  for (const more of wrong)
    expect((await person.submit(asked, submit, { answer: 'agreed', ...more })).at).toBe(asked.at);
  const second = await newTerms({ days: 0 });
  const shown = await person.submit(asked, submit, { answer: 'agreed' });
  expect(shown.at).toBe('/login/terms');
  expect(await listAnswersOf(user.id)).toEqual([]);
  await person.submit(shown, submit, { answer: 'agreed' });
  expect((await listAnswersOf(user.id)).map(({ name }) => name)).toEqual([second.name]);
  expect(first.name).not.toBe(second.name);
});

describe('without a page', () => {
  test('prompt=none goes on while people may think, then interaction_required', async () => {
    const person = await newPerson(server);
    const client = await newApp({ firstParty: true });
    const { name } = await newTerms();
    const silent = ask(client, { prompt: 'none' });
    expect(answerOf(await person.open(silent)).code).toBeDefined();
    await overdue(name);
    const response = await person.request(silent);
    expect(response.headers.get('location')).toContain('error=interaction_required');
    expect(await stepOf(response)).toMatchObject({
      rule: 'terms.required',
      received: `a user who has not agreed to ${name}`,
    });
  });

  test('a refresh token works until then, and again once its person has agreed', async () => {
    const person = await newPerson(server);
    const client = await newApp();
    const page = await person.goThrough(await person.open(ask(client)));
    const { body } = await redeem(client, answerOf(page).code);
    const { name } = await newTerms();
    const going = await refresh(client, body.refresh_token);
    expect(going.status).toBe(200);
    await overdue(name);
    const refused = await refresh(client, going.body.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    expect(await stepOf(refused)).toMatchObject({ rule: 'terms.required' });
    const asked = await person.open('/login/terms');
    await person.submit(asked, submit, { answer: 'agreed' });
    expect((await refresh(client, going.body.refresh_token)).status).toBe(200);
  });

  test('an app password is refused then', async () => {
    const user = await newUser();
    const client = await newClient({ appPasswords: true });
    const found = await findUser(user.id);
    const secret = newAppPassword();
    const now = new Date();
    await storeAppPassword(
      {
        id: newId(now),
        hash: appPasswordHash(secret) ?? '',
        userId: user.id,
        userEpoch: found?.epoch ?? 0,
        clientId: client.id,
        name: 'Phone',
        networks: [],
        secondFactor: false,
        createdAt: now,
        expiresAt: null,
      },
      { type: 'app-password.made' },
      [],
    );
    const prove = async () => {
      const app = await findClient(client.id);
      if (!app) throw new Error('The app is gone.');
      const sent = { login: user.username, address: '198.51.100.7', now: new Date() };
      const proof = await proveAppPassword(app, secret, sent);
      return proof.fate === 'good' ? 'good' : proof.refusal.facts;
    };
    const { name } = await newTerms();
    expect(await prove()).toBe('good');
    await overdue(name);
    expect(await prove()).toMatchObject({
      rule: 'terms.required',
      received: `a user who has not agreed to ${name}`,
      expected: [expect.stringMatching(/required since 20/)],
    });
  });
});

test('an app has its own terms, asked before its consent, also if it is first-party', async () => {
  const person = await newPerson(server);
  const own = await newApp({ name: 'Pottery Club' });
  const first = await newApp({ firstParty: true });
  const other = await newApp({ firstParty: true });
  await newTerms({ days: 0, clientId: own.id });
  await newTerms({ days: 0, clientId: first.id });
  const asked = await person.open(ask(own));
  expect(asked.at).toMatch(/^\/login\/terms\?/);
  expect(textOf(asked.html)).toContain('Terms of use of Pottery Club');
  expect((await person.submit(asked, submit, { answer: 'agreed' })).at).toMatch(/^\/consent\?/);
  const silent = await person.open(ask(first, { prompt: 'none' }));
  expect(answerOf(silent).error).toBe('interaction_required');
  const shown = await person.open(ask(first));
  expect(answerOf(await person.submit(shown, submit, { answer: 'agreed' })).code).toBeDefined();
  expect(answerOf(await person.open(ask(other))).code).toBeDefined();
  expect((await person.open('/login/terms')).at).toBe('/account');
});

test('whoever creates an account agrees with the same form', async () => {
  const { name } = await newTerms();
  const email = `${unique('new')}@example.org`;
  const { token } = await makeLink({ purpose: 'invite', user: null, email }, new Date());
  const person = new Person(server);
  const page = await person.open(`/register/finish?token=${token}`);
  expect(page.html).toContain('>kind</strong>.');
  const account = { username: unique('person'), password: 'correct horse battery staple' };
  const action = '/register/finish/submit';
  const refused = await person.submit(page, action, account);
  expect(textOf(refused.html)).toContain('To create an account, agree to the terms of use.');
  expect(await findUserByLogin(email)).toBeNull();
  expect((await person.submit(refused, action, { ...account, agreed: 'on' })).at).toBe('/account');
  const user = await findUserByLogin(email);
  expect(await listAnswersOf(user?.id ?? '')).toMatchObject([{ name, answer: 'agreed' }]);
  const data = await person.open('/account/your-data');
  expect(textOf(data.html)).toMatch(new RegExp(`${name} ?: agreed on`));
  const { body, headers } = person.postOf(data, '/account/your-data/submit', { format: 'json' });
  const file = await person.request('/account/your-data/submit', { method: 'POST', body, headers });
  const { terms } = ownData.parse(await file.json());
  expect(terms).toMatchObject([{ name, decision: 'agreed', digest: digest(texts.any) }]);
});
