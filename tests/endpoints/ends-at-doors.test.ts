import { beforeAll, describe, expect, test } from 'vitest';
import { proveAppPassword } from '#lib/access/app-password.ts';
import { verifyAt } from '#lib/endpoints/proxy/verify.ts';
import { token } from '#lib/endpoints/token.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { appPasswordHash, newAppPassword } from '#lib/identity/app-passwords.ts';
import { findAccessToken } from '#lib/identity/tokens.ts';
import { prove, requestFrom, stillBound } from '#lib/ldap/bind.ts';
import { allow } from '#lib/management/client/access.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembersUntil } from '#lib/management/group/members.ts';
import { setEnd } from '#lib/management/user/users.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { storeAppPassword } from '#lib/store/app-passwords.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import { actor, unique } from '../management/people.ts';
import { credentials, me, post } from '../support/app.ts';
import { newGuarded, SiteBrowser } from '../support/guarded.ts';
import { baseDn } from '../support/ldap.ts';
import { openOwnServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson } from '../support/person.ts';
import { newClient, password } from '../support/seed.ts';

/*
 * What ends by its date ends at every door at that moment: here, where the time is turned, and on
 * another server, whose clock has not come that far.
 */

const server = await openOwnServer('sqlite', { TRUSTED_PROXIES: '127.0.0.1' });
beforeAll(() => leaveQueuesToServer());

const minute = 60_000;
/** Each scene ends at a moment of its own, so that no door is closed by the one before. */
let ends = Date.now() + 3 * minute;
const nextEnd = () => {
  ends += minute / 2;
  return new Date(ends);
};

type Scene = Awaited<ReturnType<typeof scene>>;

/** An app and a guarded site that list one person, or a group that the person is in. */
async function scene(through: 'name' | 'group') {
  const person = await newPerson(server);
  const { id } = person.user;
  const many = { ldap: true, ldapPasswords: true, appPasswords: true };
  const app = await newClient({ access: 'listed', ...many });
  const url = `https://${unique('site')}.example`;
  const site = await newGuarded({ guardedSites: [url], access: 'listed', ...many });
  const now = new Date();
  const group = await createGroup({ name: unique('group') }, actor, now);
  const { id: group_id, name } = group;
  const listed = { groups: [{ id: group_id, name }], people: [] };
  for (const client of [app, site])
    await allow(client.id, through === 'group' ? listed : { groups: [], people: [id] }, actor, now);
  if (through === 'group') await addMembersUntil(group_id, { people: [id] }, actor, now);
  return { person, userId: id, app, site, url, group };
}

/** What ends, and how its date is set. */
const dated = {
  'an account': async ({ userId }: Scene, endsAt: Date) => {
    await setEnd(userId, endsAt, actor, new Date());
  },
  'a place on a list': async ({ userId, app, site }: Scene, endsAt: Date) => {
    for (const { id } of [app, site])
      await allow(id, { groups: [], people: [userId], endsAt }, actor, new Date());
  },
  'a membership': async ({ userId, group }: Scene, endsAt: Date) => {
    await addMembersUntil(group.id, { people: [userId], endsAt }, actor, new Date());
  },
} as const;

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string };

/** A request that has not come over a network, so that it can be answered at any time. */
const requestAt = (now: Date, { method, path, headers, body = '' }: Sent): HttpRequest => ({
  ...requestFrom('127.0.0.1', newId(now), now),
  method,
  path,
  header: (name) => headers[name.toLowerCase()],
  body: async () => Buffer.from(body),
});

/** Whether it gives something, and does not refuse. */
async function gives(work: Promise<unknown>): Promise<boolean> {
  try {
    return Boolean(await work);
  } catch (error) {
    if (error instanceof OAuthRefusal) return false;
    throw error;
  }
}
const isOk = async (answer: Promise<HttpResponse>) => (await answer).status === 200;

async function tokensOf({ person, app }: Scene) {
  const asked = authorizePath({ client_id: app.id, response_type: 'code' });
  const { code = '' } = answerOf(await person.goThrough(await person.open(asked)));
  const grant = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri };
  const { body } = await post(server, '/oauth/token', { ...credentials(app), ...grant });
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

async function appPasswordOf({ userId, app }: Scene): Promise<string> {
  const text = newAppPassword();
  const user = await findUser(userId);
  const made = { id: newId(new Date()), userId, clientId: app.id, name: 'Phone', networks: [] };
  const terms = { secondFactor: false, createdAt: new Date(), expiresAt: null };
  const hash = appPasswordHash(text) ?? '';
  const event = { type: 'app-password.made', userId, actor: null } as const;
  const stored = { ...made, ...terms, hash, userEpoch: user?.epoch ?? 0 };
  expect(await storeAppPassword(stored, event, [])).toBe('stored');
  return text;
}

const bidding = ({ app, person }: Scene, secret: string, now: Date) => ({
  name: `uid=${person.user.username},ou=people,cn=${app.id},${baseDn}`,
  password: secret,
  baseDn,
  isSafe: true,
  request: requestFrom('127.0.0.1', newId(now), now),
});

/** A door, opened once: whether it is still open at a moment here, and now on the other server. */
type Door = (at: Scene) => Promise<{
  here: (now: Date) => Promise<boolean>;
  there?: () => Promise<boolean>;
}>;

const doors: Record<string, Door> = {
  'an access token': async (at) => {
    const { access } = await tokensOf(at);
    return {
      here: async (now) => (await findAccessToken(access, now)).token !== null,
      there: async () => (await me(server, access)).status === 200,
    };
  },
  'a refresh token': async (at) => {
    let { refresh } = await tokensOf(at);
    const grant = () => ({
      ...credentials(at.app),
      grant_type: 'refresh_token',
      refresh_token: refresh,
    });
    return {
      here: (now) =>
        gives(
          (async () => {
            const headers = { 'content-type': 'application/x-www-form-urlencoded' };
            const body = new URLSearchParams(grant()).toString();
            const sent = { method: 'POST', path: '/oauth/token', headers, body };
            const answer = await token(requestAt(now, sent), now);
            refresh = JSON.parse(String(answer.body)).refresh_token;
            return answer.status === 200;
          })(),
        ),
      there: async () => (await post(server, '/oauth/token', grant())).status === 200,
    };
  },
  'a guarded site': async (at) => {
    const browser = new SiteBrowser(at.person, 'traefik');
    expect((await browser.enter(`${at.url}/`)).status).toBe(200);
    const cookie = [...browser.jarOf(at.url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      cookie,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': new URL(at.url).host,
      'x-forwarded-uri': '/',
      'x-forwarded-method': 'GET',
      'x-forwarded-for': at.person.address,
      'sec-fetch-mode': 'cors',
    };
    const sent = { method: 'GET', path: '/proxy/verify/traefik', headers };
    return {
      here: (now) => gives(isOk(verifyAt('traefik')(requestAt(now, sent), now))),
      there: async () =>
        (await browser.ask(`${at.url}/`, { headers: { 'sec-fetch-mode': 'cors' } })).status === 200,
    };
  },
  'an app password': async (at) => {
    const text = await appPasswordOf(at);
    const client = await findClient(at.app.id);
    if (!client) throw new Error('The app is gone.');
    const sent = { login: null, address: '192.0.2.7' };
    return {
      here: async (now) => (await proveAppPassword(client, text, { ...sent, now })).fate === 'good',
    };
  },
  'an LDAP bind with an app password': async (at) => {
    const text = await appPasswordOf(at);
    return { here: (now) => gives(prove(bidding(at, text, now), now)) };
  },
  'an LDAP bind with their own password': async (at) => ({
    here: (now) => gives(prove(bidding(at, password, now), now)),
  }),
  'an LDAP connection that is open': async (at) => {
    const now = new Date();
    const bound = await prove(bidding(at, await appPasswordOf(at), now), now);
    const { request } = bidding(at, '', now);
    return { here: (then) => gives(stillBound(bound, request, then)) };
  },
};

const what = Object.keys(dated) as (keyof typeof dated)[];

describe.each(what)('%s that has an end', (ended) => {
  test.each(Object.entries(doors))('closes %s at that moment, on every server', async (_, door) => {
    const at = await scene(ended === 'a membership' ? 'group' : 'name');
    const { here, there } = await door(at);
    const end = nextEnd();
    await dated[ended](at, end);
    expect(await here(new Date(+end - 1))).toBe(true);
    expect(await here(end)).toBe(false);
    if (there) expect(await there()).toBe(false);
    const sql = "SELECT id FROM audit_events WHERE user_id = :userId AND actor = 'date'";
    const places = ended === 'a place on a list' ? 2 : 1;
    expect(await read(sql, { userId: at.userId })).toHaveLength(places);
  });
});
