import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { writeTraces } from '#lib/store/traces.ts';
import { atProvider, newName, newSub, says, verified, type Way } from '../support/at-provider.ts';
import { textOf } from '../support/html.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { type Admin, newAdmin, newVisitor, type Page, Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const { newWay, begin, newLinked } = atProvider(server, idp);

let admin: Admin;
beforeAll(async () => {
  admin = await newAdmin(server);
});

// The maximum number of providers is fifty.
afterEach(() => write('DELETE FROM providers', {}));

const pageOf = ({ id }: Way) => `/admin/providers/${id}/try`;
const startOf = ({ slug }: Way) => `/login/with/${slug}?for=try`;

/** Presses the page's button and returns the page that the browser ends up at. */
async function start(by: Person, way: Way): Promise<Page> {
  expect((await by.open(pageOf(way))).html).toContain(startOf(way));
  return by.open(startOf(way));
}

/** Goes all the way to the report. */
async function tryIt(way: Way, claims: Record<string, unknown>, lies: Lies = {}): Promise<Page> {
  idp.lies = lies;
  const there = await start(admin, way);
  return there.at.startsWith('/') ? there : admin.open(idp.answer(there.at, claims));
}

const isSignedInAs = async (person: Person) =>
  (await person.open('/account')).html.includes(person.username);
/** A trial leaves nothing behind: no sign-in, no link, no account. */
async function expectNothing(): Promise<void> {
  expect(admin.cookies.has(cookieName('arrival'))).toBe(false);
  expect(await listIdentities(admin.id)).toEqual([]);
  expect(await isSignedInAs(admin)).toBe(true);
}

const steps = [
  'What the provider says about itself',
  'What your browser was sent there with',
  'What your browser came back with',
  'What the code was redeemed for',
  'What the ID token says',
  'What the provider says about you when asked',
  'Who that is here',
];

describe('the report of an admin’s trial of a provider', () => {
  test('has each step in order, no secret, and creates no user or link', async () => {
    const secret = 'the secret of the client there';
    const way = await newWay({ sealedSecret: await sealedProviderSecret.seal(secret) });
    const people = await read('SELECT id FROM users', {});
    const email = `${newName()}@example.com`;
    idp.lies = { userinfo: { email, email_verified: true, locale: 'fr' } };
    const there = await start(admin, way);
    const back = idp.answer(there.at, { sub: newSub() });
    const page = await admin.open(back);
    expect(page.at).toMatch(new RegExp(`^${pageOf(way)}\\?report=`));
    const text = textOf(page.html);
    const places = steps.map((step) => text.indexOf(step));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    for (const shown of [idp.issuer, 'RS256', email, 'openid profile email', 'Bearer', 'fr'])
      expect(text).toContain(shown);
    const asked = new URL(there.at).searchParams;
    const code = new URL(back, server.issuer).searchParams.get('code') ?? '';
    const secrets = ['state', 'nonce', 'code_challenge'].map((name) => asked.get(name) ?? '');
    for (const hidden of [...secrets, code, secret]) {
      expect(hidden.length).toBeGreaterThan(10);
      expect(page.html).not.toContain(hidden);
    }
    // This provider uses the code as the access token too. An ID token would begin like this.
    expect(text).not.toContain('eyJ');
    await expectNothing();
    expect(await read('SELECT id FROM users', {})).toHaveLength(people.length);
    const events = await read<{ type: string }>(
      `SELECT type FROM audit_events WHERE actor = :id AND type = 'provider.tried'`,
      { id: admin.id },
    );
    expect(events.length).toBeGreaterThan(0);
  });

  test('says which user would be signed in, asked to link, or given an account', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    says(await tryIt(way, { sub: subject }), `This would sign in ${user.username}`);
    await write('UPDATE users SET disabled_at = :now WHERE id = :id', {
      id: user.id,
      now: new Date(),
    });
    says(await tryIt(way, { sub: subject }), 'whose account is disabled');
    const known = await newUser();
    says(
      await tryIt(way, { sub: newSub(), ...verified(known.email) }),
      `${known.username} has this address here.`,
    );
    const stranger = () => ({ sub: newSub(), ...verified(`${newName()}@example.com`) });
    const closed = await tryIt(way, stranger());
    says(closed, 'new people can’t get an account with it');
    says(closed, 'a linked account');
    const open = await newWay({ mayRegister: true });
    says(await tryIt(open, stranger()), 'they would choose a username, and get an account');
    const unverified = await tryIt(open, { ...stranger(), email_verified: false });
    says(unverified, 'an address that the provider has verified');
    await expectNothing();
    expect(await listIdentities(known.id)).toEqual([]);
  });

  test.each<[string, Lies, string[]]>([
    ['the ID token is for another', { idToken: { aud: 'another' } }, ['another', 'gatehouse']],
    ['it is signed by somebody else', { foreignKey: true }, ['What the ID token says']],
    [
      'the answer is of another issuer',
      { answer: { iss: 'https://evil.example' } },
      ['https://evil.example'],
    ],
    ['it refuses', { answer: { code: undefined, error: 'access_denied' } }, ['access_denied']],
    [
      'its client is another',
      { token: { status: 401, body: { error: 'invalid_client' } } },
      ['invalid_client', 'does not accept this server as its client'],
    ],
    [
      'it says nothing at all',
      { token: { status: 200, body: {} } },
      ['What the code was redeemed for'],
    ],
    [
      'it is called otherwise',
      { discovery: { issuer: 'https://evil.example' } },
      ['s://evil.example'],
    ],
    ['user information is somebody else’s', { userinfo: { sub: 'another' } }, ['another']],
  ])('says where it stopped, with what was received and expected: %s', async (_, lies, shown) => {
    const way = await newWay();
    const page = await tryIt(way, { sub: newSub() }, lies);
    says(page, 'It stopped here');
    says(page, 'Nobody would get in.');
    for (const text of shown) says(page, text);
    await expectNothing();
  });

  test('works for a disabled provider, and says that it is disabled', async () => {
    const way = await newWay({ enabled: false });
    const { user, subject } = await newLinked(await newWay());
    const page = await tryIt(way, { sub: subject });
    says(page, `This would sign in ${user.username}`);
    says(page, 'no one can sign in with it until you change that');
  });

  test('says which domain was refused, and names the groups claim', async () => {
    const way = await newWay({ domains: ['example.org'], groupsClaim: 'roles' });
    const page = await tryIt(way, { sub: newSub(), ...verified('ada@example.com'), roles: ['a'] });
    for (const text of ['example.com', 'example.org', 'roles']) says(page, text);
    says(page, 'It stopped here');
  });

  test('explains GitHub’s incorrect_client_credentials, which comes with status 200', async () => {
    const way = await newWay({ kind: 'github' });
    const body = { error: 'incorrect_client_credentials', error_description: 'Wrong.' };
    const page = await tryIt(way, {}, { answer: { iss: undefined }, token: { status: 200, body } });
    says(page, 'does not accept this server as its client');
    says(page, 'incorrect_client_credentials');
  });

  test('cuts very long claims', async () => {
    const way = await newWay();
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`claim-${index}`, 'ä'.repeat(300)]),
    );
    const page = await tryIt(way, { sub: newSub(), ...many });
    expect(page.at.length).toBeLessThan(8000);
    says(page, steps[6] ?? '');
  });

  test('leaves no trace of an attempt', async () => {
    const way = await newWay();
    await tryIt(way, { sub: newSub() }, { idToken: { aud: 'another' } });
    await writeTraces();
    const kept = await read(`SELECT 1 FROM trace_steps WHERE reason LIKE :name`, {
      name: `%${way.name}%`,
    });
    expect(kept).toEqual([]);
  });
});

describe('a trial of a provider does not sign anyone in', () => {
  const over = 'That sign-in is over, or began in another browser.';

  test('its answer is refused after sign-out, and in a later session of the same admin', async () => {
    const way = await newWay({ mayRegister: true });
    const { subject } = await newLinked(way);
    const tester = await newAdmin(server);
    idp.lies = {};
    const back = idp.answer((await start(tester, way)).at, { sub: subject });
    await tester.signOut();
    const page = await tester.open(back);
    expect(page.at).toMatch(/^\/login/);
    says(page, over);
    expect((await tester.open('/account')).at).toMatch(/^\/login/);
    expect(tester.cookies.has(cookieName('arrival'))).toBe(false);
    // It is not accepted from the same admin either, if they have signed in again meanwhile.
    await tester.signIn();
    const again = idp.answer((await start(tester, way)).at, { sub: subject });
    await tester.signOut();
    await tester.signIn();
    expect((await tester.open(again)).at).toBe('/account');
    expect(await isSignedInAs(tester)).toBe(true);
  });

  test('its answer is refused in another browser, and works once', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const other = await newAdmin(server);
    idp.lies = {};
    const back = idp.answer((await start(admin, way)).at, { sub: subject });
    expect((await other.open(back)).at).toBe('/account');
    expect(await isSignedInAs(other)).toBe(true);
    expect((await admin.open(back)).at).toContain('?report=');
    expect((await admin.open(back)).at).toBe('/account');
    const asked = idp.asked.length;
    expect((await admin.open(back)).html).not.toContain(steps[0]);
    expect(idp.asked.length).toBe(asked);
  });

  test('its answer shows no report to a user who is no longer an admin', async () => {
    const way = await newWay();
    const former = await newAdmin(server);
    idp.lies = {};
    const back = idp.answer((await start(former, way)).at, { sub: newSub() });
    await write('UPDATE users SET is_admin = :no WHERE id = :id', { no: false, id: former.id });
    expect((await former.open(back)).at).toBe('/account');
    expect(await isSignedInAs(former)).toBe(true);
  });

  test('an ordinary sign-in of an admin is not taken as a trial', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    const tester = await newAdmin(server);
    idp.lies = {};
    await start(tester, way);
    const page = await tester.open(idp.answer((await begin(tester, way)).at, { sub: subject }));
    expect(page.at).toBe('/account');
    says(await tester.open('/account'), user.username);
  });

  test('its report is only for the admin who tried, on the page of that provider', async () => {
    const way = await newWay();
    const other = await newWay();
    const page = await tryIt(way, { sub: newSub() });
    const report = page.at.split('?')[1] ?? '';
    const gone = 'This trial is over. Start again.';
    says(await (await newAdmin(server)).open(page.at), gone);
    says(await admin.open(`${pageOf(other)}?${report}`), gone);
    says(await admin.open(`${pageOf(way)}?report=x`), gone);
    expect((await admin.open(page.at)).html).not.toContain(gone);
  });

  test('starts only from the dashboard, by an admin with a recent sign-in', async () => {
    const way = await newWay();
    const before = idp.asked.length;
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site };
      const answer = await admin.request(startOf(way), { headers });
      expect(answer.headers.get('location')).toBe('/login');
    }
    const late = await newAdmin(server);
    await write('UPDATE sessions SET auth_time = :hourAgo WHERE user_id = :id', {
      id: late.id,
      hourAgo: new Date(Date.now() - 3_600_000),
    });
    expect((await late.open(startOf(way))).at).toMatch(/^\/login\?back=/);
    const member = await newVisitor(server);
    await member.signIn();
    expect((await member.open(startOf(way))).status).toBe(404);
    expect((await new Person(server).open(startOf(way))).at).toMatch(/^\/login\b/);
    expect(idp.asked.length).toBe(before);
  });
});
