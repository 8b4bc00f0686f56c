import { describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findGrant } from '#lib/store/grants.ts';
import { credentials, me, post, redeem, refresh, tokensOf } from '../support/app.ts';
import { newDeviceClient, startDevice, typeCode } from '../support/devices.ts';
import { newUserWithApp } from '../support/factors.ts';
import { newGroup } from '../support/groups.ts';
import { textOf } from '../support/html.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';
import { authorizationOf } from '../support/tokens.ts';
import { attemptWith, traceOf } from '../support/traces.ts';

const server = await openServer({});
const alike = alikeOn(databaseOf(server.databaseUrl));
const cli = { id: 'cli' };

/** An app with listed users, and a person in the group that it lists. */
async function scene(options: ClientOptions = {}) {
  const person = await newPerson(server);
  const client = await newClient({ access: 'listed', ...options });
  const groups = [await newGroup(person.user)];
  await allow(client.id, { groups, people: [] }, [], new Date());
  const shutOut = () => disallow(client.id, { groups, people: [] }, [], new Date());
  const letIn = () => allow(client.id, { groups, people: [] }, [], new Date());
  return { person, client, shutOut, letIn };
}

const ask = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', state: 'of the app', ...more });

describe('an app with listed users, at the authorization endpoint', () => {
  test('gives a listed user a code', async () => {
    const { person, client } = await scene();
    expect(answerOf(await person.goThrough(await person.open(ask(client)))).code).toMatch(/^gh_/);
  });

  test('shows an unlisted user the no-access page, whose link back gives the app access_denied', async () => {
    const { person, client, shutOut } = await scene({ name: 'Payroll' });
    await shutOut();
    const page = await person.open(ask(client));
    expect(page.at).toMatch(/^\/no-access\?flow=/);
    const text = textOf(page.html);
    expect(text).toContain('You can’t use Payroll');
    expect(text).toContain(person.user.email);
    expect(text).toContain('ask the administrator of this server');
    const back = /href="(\/oauth\/cancel\?flow=[^"]+)"/.exec(page.html)?.[1] ?? '';
    const answer = answerOf(await person.open(back));
    const told = new URL(answer.error_uri ?? '').searchParams.get('request') ?? '';
    expect((await attemptWith(told)).trace).toMatchObject({
      clientId: client.id,
      rule: 'access.not-listed',
      steps: [{ requestId: told }],
    });
    expect(answer).toEqual({
      error: 'access_denied',
      error_description: 'This user may not use this app.',
      error_uri: expect.stringContaining(`${server.issuer}/docs/errors/access_denied?request=`),
      state: 'of the app',
      iss: server.issuer,
    });
  });

  alike(
    'does not ask an unlisted user for consent, first party or not, even with prompt=consent',
    async () => {
      for (const firstParty of [true, false]) {
        const { person, client, shutOut } = await scene({ firstParty });
        await shutOut();
        expect((await person.open(ask(client, { prompt: 'consent' }))).at).toMatch(/^\/no-access/);
        expect(await findGrant(person.user.id, client.id)).toBeNull();
      }
    },
  );

  alike(
    'answers prompt=none of an unlisted user with access_denied, and without a session with login_required',
    async () => {
      const { person, client, shutOut } = await scene();
      await shutOut();
      const answer = answerOf(await person.open(ask(client, { prompt: 'none' })));
      expect(answer).toMatchObject({
        error: 'access_denied',
        state: 'of the app',
        iss: server.issuer,
      });
      const nobody = answerOf(await new Person(server).open(ask(client, { prompt: 'none' })));
      expect(nobody.error).toBe('login_required');
    },
  );

  alike('asks for sign-in before it shows the no-access page', async () => {
    const { person, client, shutOut } = await scene();
    await shutOut();
    const other = new Person(server, person.username);
    const page = await other.open(ask(client));
    expect(page.at).toMatch(/^\/login/);
    expect((await other.signInAt(page)).at).toMatch(/^\/no-access/);
  });

  test('shows an unlisted user the no-access page before the second factor, and starts no session', async () => {
    const user = await newUserWithApp();
    const client = await newClient({ access: 'listed' });
    const listing = { groups: [], people: [user.id] };
    const letIn = () => allow(client.id, listing, [], new Date());
    const at = new Person(server, user.username);
    const signIn = async () => at.signInAt(await at.open(ask(client)));
    const page = await signIn();
    expect(page.at).toMatch(/^\/no-access\?flow=/);
    expect(textOf(page.html)).toContain(user.email);
    expect((await at.open('/account')).at).toMatch(/^\/login/);
    const back = /href="(\/oauth\/cancel\?flow=[^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(answerOf(await at.open(back))).toMatchObject({
      error: 'access_denied',
      error_description: 'This user may not use this app.',
    });
    await letIn();
    expect((await signIn()).at).toMatch(/^\/login\/factor/);
  });

  alike(
    'shows an unlisted user of a device the no-access page before the second factor, and starts no session',
    async () => {
      const user = await newUserWithApp();
      const person = await newPerson(server);
      const client = await newDeviceClient({ access: 'listed', requireSecondFactor: true });
      const listing = { groups: [], people: [user.id] };
      const page = await typeCode(person, (await startDevice(server, client)).user_code);
      const [, sealed = ''] = /device=([\w.-]+)/.exec(page.at) ?? [];
      const login = `/login?back=${encodeURIComponent(`/device/confirm?device=${sealed}`)}`;
      await person.signOut();
      const signIn = async () => person.signInAt(await person.open(login), user.username);
      const kept = await signIn();
      expect(kept.at).toMatch(/^\/device\/confirm\?/);
      expect(textOf(kept.html)).toContain('You can’t use');
      expect(textOf(kept.html)).toContain(user.email);
      expect(kept.forms.some(({ action }) => action === '/device/confirm/submit')).toBe(false);
      expect((await person.open('/account')).at).toMatch(/^\/login/);
      await allow(client.id, listing, [], new Date());
      expect((await person.open(kept.at)).at).toMatch(/^\/login\?back=/);
      expect((await signIn()).at).toMatch(/^\/login\/factor/);
    },
  );

  test('offers another account on the no-access page, and lets a user through who has been listed since', async () => {
    const { person, client, shutOut, letIn } = await scene();
    const other = await newPerson(server);
    const turnedAway = await other.open(ask(client));
    const login = await other.submit(turnedAway, '/switch/submit');
    expect(login.at).toMatch(/^\/login/);
    const asked = await other.signInAt(login, person.username);
    expect(asked.at).toMatch(/^\/consent/);
    await shutOut();
    const page = await person.open(ask(client));
    await letIn();
    expect((await person.open(page.at)).at).toMatch(/^\/consent/);
  });

  test('gives no code to a user who loses access on the consent page', async () => {
    const { person, client, shutOut } = await scene();
    const consent = await person.open(ask(client));
    await shutOut();
    expect((await person.decide(consent, 'allow')).at).toMatch(/^\/no-access/);
    expect(await findGrant(person.user.id, client.id)).toBeNull();
  });

  alike('offers no way back to the app where the redirect_uri is not registered', async () => {
    const { person, client, shutOut } = await scene({ redirectUris: [] });
    await shutOut();
    const page = await person.open(ask(client, { redirect_uri: 'https://anywhere.example/' }));
    expect(page.at).toMatch(/^\/no-access/);
    expect(page.html).not.toContain('/oauth/cancel');
    const cancelled = await person.open(page.at.replace('/no-access', '/oauth/cancel'));
    expect([cancelled.at.startsWith('/oauth/cancel'), cancelled.status]).toEqual([true, 400]);
  });

  alike('shows the no-access page only to the browser and user of the request', async () => {
    const { person, client, shutOut } = await scene();
    await shutOut();
    const { at } = await person.open(ask(client));
    expect((await (await newPerson(server)).open(at)).status).toBe(400);
    await person.signOut();
    expect((await person.open(at)).at).toMatch(/^\/login/);
    expect((await person.open('/no-access')).status).toBe(400);
    expect((await person.open('/no-access?flow=x&flow=y')).status).toBe(400);
  });

  alike('shows the no-access page in German', async () => {
    const { person, client, shutOut } = await scene();
    await shutOut();
    person.language = 'de';
    expect(textOf((await person.open(ask(client))).html)).toContain('nicht freigeschaltet');
  });

  test('the trace of the attempt and the audit log name the rule access.not-listed', async () => {
    const { person, client, shutOut } = await scene();
    await shutOut();
    const refused = await person.request(ask(client));
    expect(refused.headers.get('location')).toMatch(/^\/no-access\?flow=/);
    const trace = await traceOf(refused);
    expect(trace).toMatchObject({ clientId: client.id, userId: person.user.id });
    expect(trace.steps.at(-1)).toMatchObject({
      step: 'authorize',
      outcome: 'refused',
      code: 'access_denied',
      rule: 'access.not-listed',
    });
    await person.request(ask(client));
    const events = await read<{ detail: string; actor: string }>(
      "SELECT actor, detail FROM audit_events WHERE type = 'access.refused' AND client_id = $1",
      [client.id],
    );
    expect(events).toEqual([{ actor: person.user.id, detail: '{"rule":"access.not-listed"}' }]);
  });
});

describe('an app with listed users, at the token endpoint', () => {
  const revoked = async (token: string) => (await authorizationOf(token)).revokedAt !== null;

  test('a listed user’s code and refresh token give tokens that work', async () => {
    const { person, client } = await scene();
    const { refresh_token } = await tokensOf(server, person, client, { scope: 'openid' });
    const again = await refresh(server, refresh_token, credentials(client));
    expect(again.status).toBe(200);
    expect((await me(server, String(again.body.access_token))).status).toBe(200);
  });

  test('refuses the code of a user who lost access, and repeating it does not count as reuse', async () => {
    const { person, client, shutOut, letIn } = await scene();
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    await shutOut();
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
    const events = await read<{ type: string }>(
      'SELECT DISTINCT type FROM audit_events WHERE user_id = $1 AND client_id = $2 ORDER BY type',
      [person.user.id, client.id],
    );
    expect(events.map(({ type }) => type)).toEqual(['access.refused', 'consent.given']);
    await letIn();
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
  });

  test('a user who loses access loses all tokens immediately; regained access restores none, the consent stays', async () => {
    const { person, client, shutOut, letIn } = await scene();
    const tokens = await tokensOf(server, person, client, { scope: 'openid' });
    expect((await me(server, tokens.access_token)).status).toBe(200);
    await shutOut();
    expect((await me(server, tokens.access_token)).status).toBe(401);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const asked = await post(server, '/oauth/introspect', { ...credentials(client), token });
      expect(asked.body).toEqual({ active: false });
    }
    const { status, body } = await refresh(server, tokens.refresh_token, credentials(client));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    await letIn();
    expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
    // The consent is kept.
    const page = await person.open(ask(client, { scope: 'openid' }));
    expect(answerOf(page).code).toMatch(/^gh_/);
  });

  test.each([
    ['with the client named', true],
    ['with the token alone', false],
  ])('checks the access at every refresh, %s, and ends the authorization', async (_, named) => {
    const { person, client } = await scene();
    const tokens = await tokensOf(server, person, client);
    // As after a restore: the rows say so, but no one ended any authorization.
    await write('DELETE FROM group_members WHERE user_id = $1', [person.user.id]);
    expect((await me(server, tokens.access_token)).status).toBe(200);
    const more = named ? credentials(client) : {};
    expect((await refresh(server, tokens.refresh_token, more)).body.error).toBe('invalid_grant');
    expect(await revoked(tokens.refresh_token)).toBe(true);
    expect((await me(server, tokens.access_token)).status).toBe(401);
  });

  test('checks the access when a code is redeemed, and revokes the authorization', async () => {
    const { person, client } = await scene();
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    await write('DELETE FROM group_members WHERE user_id = $1', [person.user.id]);
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
    expect(await revoked(code)).toBe(true);
  });

  test('refuses the repeat of a refresh, too, once access is lost', async () => {
    const { person, client } = await scene();
    const { refresh_token } = await tokensOf(server, person, client);
    expect((await refresh(server, refresh_token)).status).toBe(200);
    await write('DELETE FROM group_members WHERE user_id = $1', [person.user.id]);
    expect((await refresh(server, refresh_token)).body.error).toBe('invalid_grant');
  });

  test('an app that is changed to listed users ends the tokens of all others, and gives them none back', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const tokens = await tokensOf(server, person, client);
    await updateClient(client.id, { access: 'listed' }, { actor: cli, now: new Date() });
    expect((await me(server, tokens.access_token)).status).toBe(401);
    const { body } = await refresh(server, tokens.refresh_token, credentials(client));
    expect(body.error).toBe('invalid_grant');
    await updateClient(client.id, { access: 'everybody' }, { actor: cli, now: new Date() });
    expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await tokensOf(server, person, client)).access_token).toMatch(/^gh_/);
  });

  test('a change of another setting of the app ends no tokens', async () => {
    const { person, client } = await scene();
    const tokens = await tokensOf(server, person, client);
    await updateClient(client.id, { description: 'Salaries' }, { actor: cli, now: new Date() });
    expect((await me(server, tokens.access_token)).status).toBe(200);
  });

  alike('client_credentials works where no users are listed', async () => {
    const client = await newClient({ access: 'listed', grants: ['client_credentials'] });
    const asked = { ...credentials(client), grant_type: 'client_credentials' };
    expect((await post(server, '/oauth/token', asked)).status).toBe(200);
  });
});
