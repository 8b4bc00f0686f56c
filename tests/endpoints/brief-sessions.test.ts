import { describe, expect, test } from 'vitest';
import { listSessions } from '#lib/management/session/sessions.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const server = await openServer();
const hour = 3600;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const signIn = '/login/submit';

async function freshPerson(options = {}) {
  const user = await newUser(options);
  return { user, person: new Person(server, user.username) };
}

/** Signs in with the box ticked or not; returns the cookies that were set. */
async function signedIn(person: Person, page: Page, brief: boolean) {
  const filled = { username: person.username, password, stay: brief ? 'off' : 'on' };
  const answer = await person.request(signIn, {
    method: 'POST',
    ...person.postOf(page, signIn, filled),
  });
  return answer.headers.getSetCookie();
}

const lastsIn = (cookies: string[], name: string) =>
  /Max-Age=(\d+)/.exec(cookies.find((each) => each.includes(`gh_${name}=`)) ?? 'none')?.[1];
const sessionOf = async ({ id }: { id: string }) =>
  (await prisma()).session.findFirstOrThrow({ where: { userId: id } });

/** The box when it is ticked. */
const box = /<input[^>]*checked=""[^>]*name="stay"|name="stay"[^>]*checked=""/;

describe('“Keep me signed in” at sign-in', () => {
  test('ticked: the session cookie and the device cookie last for days', async () => {
    const { user, person } = await freshPerson();
    const cookies = await signedIn(person, await person.open('/login'), false);
    expect(Number(lastsIn(cookies, 'session'))).toBeGreaterThan(24 * hour);
    expect(Number(lastsIn(cookies, 'device'))).toBeGreaterThan(24 * hour);
    expect((await sessionOf(user)).brief).toBe(false);
  });

  test('not ticked: the session cookie ends with the browser, and no device cookie is set', async () => {
    const { user, person } = await freshPerson();
    const cookies = await signedIn(person, await person.open('/login'), true);
    expect(cookies.some((each) => each.startsWith('gh_session='))).toBe(true);
    expect(lastsIn(cookies, 'session')).toBeUndefined();
    expect(cookies.some((each) => each.startsWith('gh_device='))).toBe(false);
    const { brief, authTime, expiresAt } = await sessionOf(user);
    expect([brief, expiresAt.getTime() - authTime.getTime()]).toEqual([true, 12 * hour * 1000]);
    const page = await person.open('/account/sessions');
    expect(textOf(page.html)).toContain('until the browser is closed');
  });

  test.each([
    ['not used for 11 hours', 11 * hour, 11 * hour, true],
    ['not used for 13 hours', 13 * hour, 13 * hour, false],
    ['used all along for 23 hours', 23 * hour, hour, true],
    ['used all along for 25 hours', 25 * hour, hour, false],
  ])('not ticked: the end of a session that is %s', async (_, authTime, lastSeenAt, lives) => {
    const { user, person } = await freshPerson();
    await signedIn(person, await person.open('/login'), true);
    await (await prisma()).session.updateMany({
      where: { userId: user.id },
      data: { authTime: ago(authTime), lastSeenAt: ago(lastSeenAt), expiresAt: ago(-99 * hour) },
    });
    expect(await listSessions(user.id, new Date())).toHaveLength(lives ? 1 : 0);
    expect((await person.open('/account')).at).toMatch(lives ? /^\/account$/ : /^\/login/);
  });

  test('stays unticked after a wrong password, and when the same person signs in again', async () => {
    const { person } = await freshPerson();
    const page = await person.open('/login');
    expect(page.html).toMatch(box);
    const filled = { username: person.username, password: 'wrong', stay: 'off' };
    const wrong = await person.submit(page, signIn, filled);
    expect(wrong.html).not.toMatch(box);
    await signedIn(person, wrong, true);
    const { id } = await newClient();
    const again = await person.open(
      authorizePath({ client_id: id, response_type: 'code', prompt: 'login' }),
    );
    expect(again.forms.find(({ action }) => action === signIn)?.fields.stay).toBe('off');
  });

  test('counts as ticked where the form does not send it', async () => {
    const { user, person } = await freshPerson();
    const page = await person.open('/login');
    const { csrf = '' } = page.forms.find(({ action }) => action === signIn)?.fields ?? {};
    const body = new URLSearchParams({ csrf, username: person.username, password }).toString();
    await person.open(signIn, { method: 'POST', body, headers: { Origin: server.issuer } });
    expect((await sessionOf(user)).brief).toBe(false);
  });

  test('can be ticked again at the next sign-in', async () => {
    const { user, person } = await freshPerson();
    await signedIn(person, await person.open('/login'), true);
    const { id } = await newClient();
    const params = { client_id: id, response_type: 'code', prompt: 'login' };
    const cookies = await signedIn(person, await person.open(authorizePath(params)), false);
    expect(Number(lastsIn(cookies, 'session'))).toBeGreaterThan(24 * hour);
    expect((await sessionOf(user)).brief).toBe(false);
  });

  test('not ticked: an admin’s session lasts at most 12 hours', async () => {
    const { user, person } = await freshPerson({ isAdmin: true });
    await signedIn(person, await person.open('/login'), true);
    const { authTime, expiresAt } = await sessionOf(user);
    expect(expiresAt.getTime() - authTime.getTime()).toBeLessThanOrEqual(12 * hour * 1000);
  });
});
