import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { fix } from '#lib/management/attempt/fix.ts';
import { type ClientChange, updateClient } from '#lib/management/client/clients.ts';
import { type Answer, credentials, me, redeem, refresh, tokensOf } from '../support/app.ts';
import { codeOf, newUserWithApp, secretOn } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { authorizationOf, changeAuthorization } from '../support/tokens.ts';
import { attemptOf, stepOf } from '../support/traces.ts';

const gatehouse = await openServer();
const servers = [gatehouse, await gatehouse.secondProcess()] as const;
const minute = 60;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const rule = (client: TestClient, change: ClientChange) =>
  updateClient(client.id, change, { actor: { id: 'cli' }, now: new Date() });
const request = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid', ...more });

/** Makes this person's last sign-in look this many seconds old. */
async function signedInAgo(userId: string, seconds: number): Promise<void> {
  const data = { authTime: ago(seconds) };
  await (await prisma()).session.updateMany({ where: { userId }, data });
}

/** The rule that an answer was refused by, from its trace. */
const ruleOf = async (answer: Pick<Answer, 'headers'>) => (await stepOf(answer)).rule;

/** The refusal that an app reads in its answer. */
function refusalIn(page: Page) {
  const { error, state, iss } = answerOf(page);
  return { error, state, iss };
}

describe('an app that requires a second factor', () => {
  const demanding = () =>
    newClient({ firstParty: true, requireSecondFactor: true, name: 'Payroll' });

  test('makes a user without one set it up during the first sign-in', async () => {
    const client = await demanding();
    const { user } = await newPerson(gatehouse);
    const person = new Person(gatehouse, user.username);
    const page = await person.signInAt(await person.open(request(client)));
    expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
    expect(textOf(page.html)).toContain('Payroll requires two-step sign-in.');
    const secret = secretOn(page);
    const codes = await person.submit(page, '/login/enrol/submit', { code: codeOf(secret) });
    const end = await person.submit(codes, '/account/security/codes/kept');
    const { body } = await redeem(gatehouse, client, answerOf(end).code ?? '');
    expect(decodeJwt(String(body.id_token))).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
  });

  test('asks a user who is signed in with a password alone to sign in again, and says why', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    const login = await person.open(request(client));
    expect(login.at).toMatch(/^\/login\?flow=/);
    expect(textOf(login.html)).toContain('Payroll requires two-step sign-in. Sign in again');
    expect((await person.signInAt(login)).at).toMatch(/^\/login\/enrol\?flow=/);
  });

  test('accepts a session with a second factor without asking again', async () => {
    const user = await newUserWithApp();
    const person = new Person(gatehouse, user.username);
    const page = await person.signIn();
    await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
    expect(answerOf(await person.open(request(await demanding()))).code).toBeDefined();
  });

  test('gets login_required or interaction_required with prompt=none, by what the user lacks', async () => {
    const client = await demanding();
    const silent = request(client, { prompt: 'none', state: 's' });
    const person = await newPerson(gatehouse);
    const told = { state: 's', iss: gatehouse.issuer };
    expect(refusalIn(await person.open(silent))).toEqual({
      error: 'interaction_required',
      ...told,
    });
    const user = await newUserWithApp();
    const other = new Person(gatehouse, user.username);
    expect(refusalIn(await other.open(silent))).toEqual({ error: 'login_required', ...told });
  });

  test.each(servers.map((each, index) => [index, each] as const))(
    'refuses the next refresh of tokens from a weaker sign-in (server %i)',
    async (_, at) => {
      const client = await newClient({ firstParty: true });
      const person = await newPerson(gatehouse);
      const tokens = await tokensOf(at, person, client);
      const next = await refresh(at, tokens.refresh_token, credentials(client));
      expect(next.status).toBe(200);
      await rule(client, { requireSecondFactor: true });
      const refused = await refresh(at, String(next.body.refresh_token), credentials(client));
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await ruleOf(refused)).toBe('second-factor-required');
      expect((await me(at, String(next.body.access_token))).status).toBe(401);
      await rule(client, { requireSecondFactor: false });
      const late = await refresh(at, String(next.body.refresh_token), credentials(client));
      expect(late.body.error).toBe('invalid_grant');
    },
  );

  test('refuses to redeem a code from a weaker sign-in', async () => {
    const client = await newClient({ firstParty: true });
    const person = await newPerson(gatehouse);
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    await rule(client, { requireSecondFactor: true });
    const refused = await redeem(gatehouse, client, code);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await ruleOf(refused)).toBe('second-factor-required');
    await rule(client, { requireSecondFactor: false });
    expect((await redeem(gatehouse, client, code)).status).toBe(400);
  });

  test('refuses every refresh that begins after the rule was set, at both servers', async () => {
    const client = await newClient({ firstParty: true });
    const people = await Promise.all(Array.from({ length: 6 }, () => newPerson(gatehouse)));
    const begun = await Promise.all(people.map((person) => tokensOf(gatehouse, person, client)));
    let ruled = false;
    const outcomes = await Promise.all([
      ...begun.map((tokens, index) => refreshOn(tokens.refresh_token, client, index, () => ruled)),
      rule(client, { requireSecondFactor: true }).then(() => {
        ruled = true;
      }),
    ]);
    expect(
      outcomes.flatMap((outcome) => outcome ?? []).filter(({ late, ok }) => late && ok),
    ).toEqual([]);
    expect(outcomes.flatMap((outcome) => outcome ?? []).some(({ late }) => late)).toBe(true);
  });
});

/** Refreshes again and again, and a few more times once the rule applies. */
async function refreshOn(token: string, client: TestClient, index: number, isRuled: () => boolean) {
  const seen: { late: boolean; ok: boolean }[] = [];
  let [at, more] = [token, 3];
  while (more > 0) {
    const late = isRuled();
    if (late) more -= 1;
    const server = servers[(seen.length + index) % 2] ?? gatehouse;
    const answer = await refresh(server, at, credentials(client));
    seen.push({ late, ok: answer.status === 200 });
    if (answer.status === 200) at = String(answer.body.refresh_token);
  }
  return seen;
}

describe('an app with maxSignInAge', () => {
  const demanding = (more = {}) =>
    newClient({ firstParty: true, maxSignInAge: 30 * minute, name: 'Ledger', ...more });

  test('asks a user who signed in too long ago to sign in again, and says so', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    await signedInAgo(person.user.id, 29 * minute);
    expect(answerOf(await person.open(request(client))).code).toBeDefined();
    await signedInAgo(person.user.id, 31 * minute);
    const login = await person.open(request(client));
    expect(textOf(login.html)).toContain('Ledger asks you to sign in again');
    expect(login.html).toContain(`value="${person.user.username}"`);
    expect(answerOf(await person.signInAt(login)).code).toBeDefined();
  });

  test('asks again when the sign-in became too old on the consent page', async () => {
    const client = await demanding({ firstParty: false });
    const person = await newPerson(gatehouse);
    const consent = await person.open(request(client));
    expect(consent.at).toMatch(/^\/consent/);
    await signedInAgo(person.user.id, 31 * minute);
    const login = await person.decide(consent, 'allow');
    expect(login.at).toMatch(/^\/login\?flow=/);
    const again = await person.signInAt(login);
    expect(answerOf(await person.decide(again, 'allow')).code).toBeDefined();
  });

  test('gets login_required with prompt=none when the sign-in is too old', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    await signedInAgo(person.user.id, 31 * minute);
    const end = await person.open(request(client, { prompt: 'none', state: 's' }));
    expect(refusalIn(end)).toEqual({ error: 'login_required', state: 's', iss: gatehouse.issuer });
  });

  test('can still refresh: the age is checked only at sign-in', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    const tokens = await tokensOf(gatehouse, person, client);
    await changeAuthorization(tokens.refresh_token, { authTime: ago(3600) });
    expect((await refresh(gatehouse, tokens.refresh_token, credentials(client))).status).toBe(200);
  });
});

describe('an app with signInLife', () => {
  const life = 20 * minute;
  const demanding = (more = {}) => newClient({ firstParty: true, signInLife: life, ...more });

  test('gets no tokens that outlive it, not even by a refresh', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    await signedInAgo(person.user.id, 15 * minute);
    const tokens = await tokensOf(gatehouse, person, client);
    expect(tokens.expires_in).toBeLessThanOrEqual(5 * minute);
    expect(tokens.expires_in).toBeGreaterThan(4 * minute);
    const row = await authorizationOf(tokens.refresh_token);
    const end = row.authTime.getTime() + life * 1000;
    expect(row.endsAt?.getTime()).toBe(end);
    expect(row.idleUntil?.getTime()).toBe(end);
    const next = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    expect(next.body.expires_in).toBeLessThanOrEqual(5 * minute);
    expect((await authorizationOf(tokens.refresh_token)).idleUntil?.getTime()).toBe(end);
  });

  test('asks for a new sign-in when it is over', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    await signedInAgo(person.user.id, life + 1);
    expect((await person.open(request(client))).at).toMatch(/^\/login\?flow=/);
    const end = await person.open(request(client, { prompt: 'none' }));
    expect(answerOf(end).error).toBe('login_required');
  });

  test('ends immediately what was given under a longer rule, or under none', async () => {
    const client = await demanding({ signInLife: null });
    const person = await newPerson(gatehouse);
    await signedInAgo(person.user.id, 15 * minute);
    const tokens = await tokensOf(gatehouse, person, client);
    await rule(client, { signInLife: 16 * minute });
    const next = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    expect(next.status).toBe(200);
    expect(next.body.expires_in).toBeLessThanOrEqual(minute);
    await rule(client, { signInLife: 10 * minute });
    const refused = await refresh(gatehouse, String(next.body.refresh_token), credentials(client));
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await ruleOf(refused)).toBe('sign-in-over');
    expect((await me(gatehouse, tokens.access_token)).status).toBe(401);
  });

  test('still reports a reused refresh token as reused', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    const tokens = await tokensOf(gatehouse, person, client);
    const next = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    await refresh(gatehouse, String(next.body.refresh_token), credentials(client));
    await changeAuthorization(tokens.refresh_token, { authTime: ago(3600) });
    const refused = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    expect(await ruleOf(refused)).toBe('refresh-token.used');
  });

  test('gets the same access token when a refresh is repeated', async () => {
    const client = await demanding();
    const person = await newPerson(gatehouse);
    const tokens = await tokensOf(gatehouse, person, client);
    const one = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    const two = await refresh(gatehouse, tokens.refresh_token, credentials(client));
    expect(two.body.access_token).toBe(one.body.access_token);
  });
});

describe('an app that is limited to certain networks', () => {
  const demanding = (more = {}) =>
    newClient({
      firstParty: true,
      name: 'Intranet',
      networks: ['198.51.100.0/24', '2001:db8:12::/48'],
      ...more,
    });
  async function personAt(address: string) {
    const person = await newPerson(gatehouse);
    person.address = address;
    return person;
  }

  test.each(['198.51.100.7', '::ffff:198.51.100.7', '2001:db8:12:3:4:5:6:7'])(
    'admits users from those networks (%s)',
    async (address) => {
      const person = await personAt(address);
      expect(answerOf(await person.open(request(await demanding()))).code).toBeDefined();
    },
  );

  test.each([
    ['203.0.113.9', 'you’re at 203.0.113.9'],
    ['2001:db8:13:3:4:5:6:7', 'you’re at 2001:db8:13:3::'],
    ['who knows', 'this server can’t tell where you are'],
  ])('refuses users elsewhere, and returns access_denied to the app (%s)', async (at, says) => {
    const client = await demanding();
    const person = await personAt(at);
    const page = await person.open(request(client, { state: 's' }));
    expect(page.at).toMatch(/^\/no-access\?flow=/);
    const text = textOf(page.html);
    expect(text).toContain('You can’t use Intranet');
    expect(text).toContain(says);
    expect(text).not.toContain('Use another account');
    const other = await person.open(request(client, { state: 's' }));
    const back = await person.open(page.at.replace('/no-access', '/oauth/cancel'));
    expect(refusalIn(back)).toEqual({ error: 'access_denied', state: 's', iss: gatehouse.issuer });
    person.address = '198.51.100.7';
    const again = await person.open(other.at.replace('/no-access', '/oauth/continue'));
    expect(answerOf(again).code).toBeDefined();
  });

  test('refuses an anonymous request from elsewhere before the sign-in page', async () => {
    const outsider = new Person(gatehouse);
    outsider.address = '203.0.113.9';
    expect((await outsider.open(request(await demanding()))).at).toMatch(/^\/no-access/);
  });

  test('gets access_denied with prompt=none from elsewhere', async () => {
    const client = await demanding();
    const person = await personAt('203.0.113.9');
    const end = await person.open(request(client, { prompt: 'none', state: 's' }));
    expect(refusalIn(end)).toEqual({ error: 'access_denied', state: 's', iss: gatehouse.issuer });
  });

  test('gets no code if the user left the network while on the consent page', async () => {
    const client = await demanding({ firstParty: false });
    const person = await personAt('198.51.100.7');
    const consent = await person.open(request(client));
    expect(consent.at).toMatch(/^\/consent/);
    person.address = '203.0.113.9';
    expect((await person.decide(consent, 'allow')).at).toMatch(/^\/no-access/);
  });

  test('has the rule of a refusal in trace and audit log, and the address in the trace', async () => {
    const client = await demanding();
    const person = await personAt('203.0.113.9');
    const answer = await person.request(request(client));
    const { trace, step } = await attemptOf(answer);
    expect(step).toMatchObject({
      rule: 'access.network',
      received: '203.0.113.9',
      expected: ['198.51.100.0/24', '2001:db8:12::/48'],
    });
    const kept = await (await prisma()).auditEvent.findMany({ where: { clientId: client.id } });
    expect(kept.map(({ type, detail }) => [type, JSON.parse(String(detail))])).toEqual([
      ['access.refused', { rule: 'access.network' }],
    ]);
    const by = { actor: { id: 'cli' }, now: new Date(), onLoosening: () => {} };
    const byClick = fix(trace.id, step.requestId, '', by);
    await expect(byClick).rejects.toThrow('can’t be granted here');
    expect((await person.open(request(client))).at).toMatch(/^\/no-access/);
  });

  test('can refresh from outside of the networks', async () => {
    const client = await demanding();
    const person = await personAt('198.51.100.7');
    const tokens = await tokensOf(gatehouse, person, client);
    expect((await refresh(gatehouse, tokens.refresh_token, credentials(client))).status).toBe(200);
  });
});
