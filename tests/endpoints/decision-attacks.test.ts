import { expect, test } from 'vitest';
import { sealedShown } from '#lib/interaction/decision/shown.ts';
import { refuseApp } from '#lib/management/approval/new-apps.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findGrant } from '#lib/store/grants.ts';
import { credentials, me, post, redeem, refresh, tokensOf } from '../support/app.ts';
import { askTokens, newDeviceClient, startDevice, typeCode } from '../support/devices.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  answerOf,
  authorizePath,
  newPerson,
  type Page,
  type Params,
  Person,
} from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { newUnverifiedApp } from '../support/unverified-apps.ts';

/*
 * Attacks on a decision by a person who knows the source: another person's form, an old form, the
 * form of another page, and two forms at the same time. Nothing is decided except what the person
 * themselves has read.
 */

const server = await openServer({});
const second = await server.secondProcess();
const cli = { id: 'cli' };
const consent = '/consent/submit';
const confirm = '/device/confirm/submit';
const ask = (who: Person, client: { id: string }, more: Record<string, string> = {}) =>
  who.open(authorizePath({ client_id: client.id, response_type: 'code', state: 'S', ...more }));
const seenIn = (page: Page, action: string) =>
  page.forms.find((form) => form.action === action)?.fields.seen ?? '';
const nothing = async (who: Person & { user: { id: string } }, client: TestClient) =>
  expect(await findGrant(who.user.id, client.id)).toBeNull();
const allowing = (fields: Record<string, string> = {}) => ({ decision: 'allow', ...fields });

test('a consent form with a forged, cut or another user’s field “seen” is refused', async () => {
  const person = await newPerson(server);
  const other = await newPerson(server);
  const client = await newClient();
  const page = await ask(person, client, { scope: 'profile' });
  const seen = seenIn(page, consent);
  const content = (await sealedShown.open(seen)) ?? Promise.reject(new Error('It opens.'));
  const wider = await sealedShown.seal({ ...(await content), p: 'profile email phone' });
  const anothers = seenIn(await ask(other, client, { scope: 'profile' }), consent);
  for (const sent of ['', 'x', seen.slice(0, -2), `${seen}A`, wider, anothers]) {
    const again = await person.submit(page, consent, allowing({ seen: sent }));
    expect(again.at).toMatch(/^\/consent\?flow=/);
    expect(textOf(again.html)).toContain('Something changed while');
  }
  await nothing(person, client);
});

test('the field “seen” of one app, request, device or page is refused for another', async () => {
  const person = await newPerson(server);
  const mild = await newClient();
  const wild = await newClient();
  const ofMild = await ask(person, mild);
  const ofWild = await ask(person, wild);
  const crossed = await person.submit(ofWild, consent, allowing({ seen: seenIn(ofMild, consent) }));
  expect(crossed.at).toMatch(/^\/consent\?/);
  // The same app with another request.
  const later = await ask(person, wild, { scope: 'email' });
  const replayed = await person.submit(later, consent, allowing({ seen: seenIn(ofWild, consent) }));
  expect(replayed.at).toMatch(/^\/consent\?/);
  await nothing(person, wild);

  const device = await newDeviceClient({ grants: [deviceGrant, 'authorization_code'] });
  const one = await startDevice(server, device);
  const two = await startDevice(server, device);
  const pageOne = await typeCode(person, one.user_code);
  const pageTwo = await typeCode(person, two.user_code);
  for (const seen of [seenIn(pageOne, confirm), seenIn(ofMild, consent)]) {
    const answer = await person.submit(pageTwo, confirm, allowing({ seen }));
    expect(answer.at).toMatch(/^\/device\/confirm\?/);
  }
  const asConsent = await person.submit(
    ofMild,
    consent,
    allowing({ seen: seenIn(pageOne, confirm) }),
  );
  expect(asConsent.at).toMatch(/^\/consent\?/);
  for (const started of [one, two])
    expect((await askTokens(server, device, started)).body.error).toBe('authorization_pending');
});

test('the consent form of one user is refused for another, in the same browser or another', async () => {
  const person = await newPerson(server);
  const thief = await newPerson(server);
  const client = await newClient();
  const device = await newDeviceClient();
  const page = await ask(person, client);
  const asked = await typeCode(person, (await startDevice(server, device)).user_code);
  const hidden = (at: Page, action: string) =>
    at.forms.find((form) => form.action === action)?.fields ?? {};
  // In the thief's browser, with the thief's own CSRF value.
  const own = (await ask(thief, client)).forms.find(({ action }) => action === consent)?.fields;
  const csrf = String(own?.csrf);
  for (const [at, action] of [
    [page, consent],
    [asked, confirm],
  ] as const) {
    const fields = { ...hidden(at, action), csrf, decision: 'allow' };
    const body = new URLSearchParams(fields).toString();
    const headers = { Origin: server.issuer, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await thief.open(action, { method: 'POST', body, headers });
    expect(answer.at === '/device/over' || answer.status === 400).toBe(true);
  }
  // In this browser, after another person signed in.
  const posts = [
    person.postOf(page, consent, allowing()),
    person.postOf(asked, confirm, allowing()),
  ];
  await person.signOut();
  await person.signIn(thief.username);
  const [toConsent, toDevice] = await Promise.all(
    posts.map(({ body, headers }, index) =>
      person.open(index === 0 ? consent : confirm, { method: 'POST', body, headers }),
    ),
  );
  expect(toConsent?.at).toMatch(/^\/consent\?/);
  expect(toDevice?.at).toMatch(/^\/device\/confirm\?/);
  await nothing(person, client);
  await nothing(thief, client);
});

test('the consent form of an ended session is refused, also after a new sign-in', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const device = await newDeviceClient();
  const started = await startDevice(server, device);
  const page = await ask(person, client);
  const asked = await typeCode(person, started.user_code);
  await write('DELETE FROM sessions WHERE user_id = $1', [person.user.id]);
  expect((await person.decide(page, 'allow')).at).toMatch(/^\/login/);
  expect((await person.submit(asked, confirm, allowing())).at).toMatch(/^\/login/);
  await nothing(person, client);
  // Not even after they sign in again, because the new session has not read anything.
  await person.signIn();
  expect((await person.decide(page, 'allow')).at).toMatch(/^\/consent\?/);
  expect((await person.submit(asked, confirm, allowing())).at).toMatch(/^\/device\/confirm\?/);
  expect((await askTokens(server, device, started)).body.error).toBe('authorization_pending');
});

test('an unknown consent period is refused, and an answered form cannot extend the period', async () => {
  const person = await newPerson(server);
  const app = await newUnverifiedApp({});
  const { challenge } = newPkce();
  const page = await ask(person, app, challenge);
  for (const period of ['', 'forever', 'UNTIL-REMOVED', 'month month'])
    expect((await person.submit(page, consent, allowing({ period }))).at).toMatch(/^\/consent\?/);
  expect(await findGrant(person.user.id, app.id)).toBeNull();
  const once = await person.submit(page, consent, allowing({ period: 'month' }));
  expect(answerOf(once)).toHaveProperty('code');
  const ends = (await findGrant(person.user.id, app.id))?.endsAt;
  expect(ends).toBeInstanceOf(Date);
  const again = await person.submit(page, consent, allowing({ period: 'until-removed' }));
  expect(again.status).toBe(400);
  expect((await findGrant(person.user.id, app.id))?.endsAt).toEqual(ends);
  // People are not asked for a period for an app that an admin made, so the period is ignored.
  const client = await newClient();
  const made = await person.submit(
    await ask(person, client),
    consent,
    allowing({ period: 'once' }),
  );
  expect(answerOf(made)).toHaveProperty('code');
  expect((await findGrant(person.user.id, client.id))?.endsAt ?? null).toBeNull();
});

test('a denied request cannot be allowed; of allow and deny at the same time at most one code works', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const device = await newDeviceClient();
  const started = await startDevice(server, device);
  const asked = await typeCode(person, started.user_code);
  expect((await person.submit(asked, confirm, { decision: 'deny' })).at).toBe('/device/denied');
  expect((await person.submit(asked, confirm, allowing())).at).toBe('/device/over');
  const page = await ask(person, client);
  await person.decide(page, 'deny');
  expect((await person.decide(page, 'allow')).status).toBe(400);
  for (let round = 0; round < 4; round += 1) {
    const each = await ask(person, client, { prompt: 'consent' });
    const posts = (['allow', 'deny', 'allow', 'deny'] as const).map((decision, index) => {
      const { body, headers } = person.postOf(each, consent, { decision });
      const at = Object.assign(new Person(index < 2 ? server : second), {
        address: person.address,
      });
      for (const [name, value] of person.cookies) at.cookies.set(name, value);
      return at.request(consent, {
        method: 'POST',
        body,
        headers: { ...headers, Origin: at.server.issuer },
      });
    });
    const answers = await Promise.all(posts);
    const codes = answers.flatMap((answer) => {
      const code = new URL(answer.headers.get('location') ?? '/', server.base).searchParams.get(
        'code',
      );
      return code === null ? [] : [code];
    });
    const denied = answers.some((answer) =>
      (answer.headers.get('location') ?? '').includes('access_denied'),
    );
    const redeemed = await Promise.all(codes.map((code) => redeem(server, client, code)));
    const good = redeemed.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    // If the person was told that it was denied, nothing was given.
    if (denied) expect(good).toEqual([]);
  }
});

test('device approval while the user loses access to the app leaves no token that works', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await newPerson(server);
    const device = await newDeviceClient({ access: 'listed' });
    const listing = { groups: [], people: [person.user.id] };
    await allow(device.id, listing, [], new Date());
    const started = await startDevice(server, device);
    const asked = await typeCode(person, started.user_code);
    await Promise.all([
      person.submit(asked, confirm, allowing()),
      disallow(device.id, listing, [], new Date()),
    ]);
    expect((await askTokens(second, device, started)).body.error).not.toBeUndefined();
    const live = await read(
      'SELECT id FROM authorizations WHERE client_id = $1 AND redeemed_at IS NOT NULL AND revoked_at IS NULL',
      [device.id],
    );
    expect(live).toEqual([]);
  }
});

test('prompt=none does not reveal whether a user without a session may use the app', async () => {
  const open = await newClient();
  const closed = await newClient({ access: 'listed' });
  const told = async (
    who: Person,
    client: TestClient,
    more: Params | Record<string, string> = {},
  ) => {
    const { error_uri: _, ...answer } = answerOf(
      await ask(who, client, { prompt: 'none', ...(more as Record<string, string>) }),
    );
    return answer;
  };
  const nobody = new Person(server);
  expect(await told(nobody, closed)).toEqual(await told(nobody, open));
  // A hint about a person who is not signed in does not reveal whether that person may use the app.
  const person = await newPerson(server);
  const listed = await newPerson(server);
  await allow(closed.id, { groups: [], people: [listed.user.id] }, [], new Date());
  const { id_token } = (await tokensOf(server, listed, closed, { scope: 'openid' })) as unknown as {
    id_token: string;
  };
  expect((await told(person, closed, { id_token_hint: id_token })).error).toBe('login_required');
  expect(
    (await told(listed, closed, { id_token_hint: id_token, scope: 'openid' })).code,
  ).toBeTruthy();
});

test('a device code is refused for another client, user or browser', async () => {
  const person = await newPerson(server);
  const thief = await newPerson(server);
  const device = await newDeviceClient();
  const other = await newDeviceClient();
  const started = await startDevice(server, device);
  const asked = await typeCode(person, started.user_code);
  expect((await thief.open(asked.at)).at).toBe('/device/over');
  await person.submit(asked, confirm, allowing());
  expect((await askTokens(server, other, started)).body.error).toBe('invalid_grant');
  expect((await typeCode(thief, started.user_code)).at).toBe('/device');
  const mine = await askTokens(server, device, started);
  expect(mine.status).toBe(200);
  const sub = (await me(server, String(mine.body.access_token))).body.sub;
  expect(sub).toBe(person.user.id);
});

test('only an admin can approve an app; the approval endpoint ignores a consent form', async () => {
  const person = await newPerson(server);
  for (const path of ['/admin/approvals', '/admin/clients?waiting=1'])
    expect([404, 403]).toContain((await person.open(path)).status);
  const client = await newClient();
  const page = await ask(person, client);
  const { body, headers } = person.postOf(page, consent, allowing());
  const posted = await person.open('/approval/submit', { method: 'POST', body, headers });
  // The app is not waiting for approval, so the request continues where it was.
  expect(posted.at).toMatch(/^\/consent\?/);
  expect(
    await read('SELECT 1 AS one FROM client_requests WHERE client_id = $1', [client.id]),
  ).toEqual([]);
});

test('after an admin has refused an app no refresh succeeds, on either of two servers', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await write("UPDATE clients SET origin = 'registration' WHERE id = $1", [client.id]);
  await write(
    `INSERT INTO client_requests (client_id, origin, name, host, user_id, asked_at, decision)
      VALUES ($1, 'registration', 'App', 'app.example', $2, CAST($3 AS TIMESTAMPTZ), 'allowed')`,
    [client.id, person.user.id, new Date()],
  );
  await write('UPDATE revision SET value = value + 1', []);
  const page = await person.submit(
    await ask(person, client),
    consent,
    allowing({ period: 'month' }),
  );
  const first = (await redeem(server, client, answerOf(page).code ?? '')).body;
  let [token, refused, after] = [String(first.refresh_token), false, 0];
  const seen: { late: boolean; ok: boolean }[] = [];
  const refreshing = (async () => {
    while (after < 4) {
      const late = refused;
      const answer = await refresh(seen.length % 2 ? server : second, token, credentials(client));
      seen.push({ late, ok: answer.status === 200 });
      if (answer.status === 200) token = String(answer.body.refresh_token);
      if (late) after += 1;
    }
  })();
  await refuseApp(client.id, cli, new Date());
  refused = true;
  await refreshing;
  expect(seen.filter(({ late, ok }) => late && ok)).toEqual([]);
  expect((await post(server, '/oauth/introspect', { ...credentials(client), token })).body).toEqual(
    {
      active: false,
    },
  );
});
