import { decodeJwt } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { signOutEverywhere } from '#lib/management/session/sessions.ts';
import {
  disableUser,
  enableUser,
  passwordHashFor,
  removeFactors,
  requireSecondFactor,
  resetPassword,
} from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { redeem } from '../support/app.ts';
import {
  atSecondStep,
  codeOf,
  confirmedBy,
  newUserWithApp,
  secretOn,
  type UserWithApp,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, password } from '../support/seed.ts';
import { set } from '../support/settings.ts';

// This file changes settings, so it has its own server.
const server = await openServer({});
const alike = alikeOn(databaseOf(server.databaseUrl));
const submit = '/login/factor/submit';
const sessionsPage = '/account/sessions';
const actor = { id: 'cli' };
afterEach(async () => {
  for (const name of ['REMEMBER_DEVICE', 'REMEMBER_DEVICE_OF_ADMINS', 'REQUIRE_SECOND_FACTOR'])
    await set(name, null);
});

const ticked = (user: UserWithApp, steps = 0) => ({
  code: codeOf(user.secret, steps),
  remember: 'on',
});
const value = (person: Person) => person.cookies.get('gh_remembered');
const rows = async (userId: string) =>
  (await prisma()).rememberedDevice.findMany({ where: { userId } });

/** A user who ticked the box at their second step, and signed out. */
async function remembered(options: { isAdmin?: boolean } = {}) {
  const user = await newUserWithApp(options);
  const { person, page } = await atSecondStep(server, user);
  const home = await person.submit(page, submit, ticked(user));
  expect(home.at).toBe('/account');
  await person.signOut();
  return { user, person };
}

/** Whether a person is asked for the second step when they sign in. */
async function isAsked(person: Person, word = password): Promise<boolean> {
  const { at } = await person.signIn(person.username, word);
  expect(['/account', '/login/factor']).toContain(at);
  return at === '/login/factor';
}

alike(
  'a remembered device skips the second step, amr is pwd alone, and its value changes with each use',
  async () => {
    const { user, person } = await remembered();
    const before = value(person) ?? '';
    expect(JSON.stringify(await rows(user.id))).not.toContain(before);
    const client = await newClient({ firstParty: true });
    const login = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid' }),
    );
    const end = await person.signInAt(login);
    const { body } = await redeem(server, client, answerOf(end).code ?? '');
    expect(decodeJwt(String(body.id_token))).toMatchObject({
      amr: ['pwd'],
      acr: 'urn:gatehouse:single',
    });
    expect(value(person)).not.toBe(before);
    const thief = new Person(server, user.username);
    thief.cookies.set('gh_remembered', before);
    expect(await isAsked(thief)).toBe(true);
    await person.signOut();
    expect(await isAsked(person)).toBe(false);
  },
);

alike(
  'a remembered device counts only after the right password, for its user, in its browser',
  async () => {
    const { user, person } = await remembered();
    expect((await person.signIn(user.username, 'not the password')).at).toBe('/login');
    expect(await isAsked(new Person(server, user.username))).toBe(true);
    const other = new Person(server, (await newUserWithApp()).username);
    other.cookies.set('gh_remembered', value(person) ?? '');
    expect(await isAsked(other)).toBe(true);
  },
);

alike(
  'a device is remembered only if ticked, and never under a value that the browser sent',
  async () => {
    const user = await newUserWithApp();
    const { person, page } = await atSecondStep(server, user);
    const planted = 'A'.repeat(43);
    person.cookies.set('gh_remembered', planted);
    await person.submit(page, submit, { code: codeOf(user.secret) });
    expect(await rows(user.id)).toEqual([]);
    await person.signOut();
    const again = await person.signIn();
    await person.submit(again, submit, ticked(user, 1));
    expect(value(person)?.split('.')).toHaveLength(2);
    const thief = new Person(server, user.username);
    thief.cookies.set('gh_remembered', planted);
    expect(await isAsked(thief)).toBe(true);
  },
);

alike('remembering a device is not offered without “Keep me signed in”', async () => {
  const user = await newUserWithApp();
  const person = new Person(server, user.username);
  const login = await person.open('/login');
  const page = await person.submit(login, '/login/submit', {
    username: user.username,
    password,
    stay: 'off',
  });
  expect(page.html).not.toContain('name="remember"');
  await person.submit(page, submit, ticked(user));
  expect(await rows(user.id)).toEqual([]);
});

const newWord = 'another horse battery staple';
const signedIn = async (user: UserWithApp, person: Person) => {
  const { at } = await person.signIn();
  expect(at).toBe('/account');
  return confirmedBy(user.codes[0]);
};
const elsewhere = async (user: UserWithApp) => {
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, submit, { code: codeOf(user.secret, 1) });
  return person;
};

alike.each<[string, (user: UserWithApp, person: Person) => Promise<unknown>]>([
  [
    'the reset of a password',
    async ({ id }) =>
      resetPassword(id, await passwordHashFor(id, newWord, actor), actor, new Date()),
  ],
  ['signing out everywhere', ({ id }) => signOutEverywhere(id, actor, new Date())],
  [
    'disabling the person',
    async ({ id }) => {
      await disableUser(id, actor, new Date());
      await enableUser(id, actor, new Date());
    },
  ],
  [
    'a new password of their own',
    async (user, person) => {
      const confirmed = await signedIn(user, person);
      const page = await person.open('/account/sign-in');
      await person.submit(page, '/account/password/submit', {
        new_password: newWord,
        ...confirmed,
      });
    },
  ],
  [
    'another authenticator app',
    async (user, person) => {
      const confirmed = await signedIn(user, person);
      const page = await person.open('/account/security/totp');
      const code = codeOf(secretOn(page));
      await person.submit(page, '/account/security/totp/submit', { code, ...confirmed });
    },
  ],
  [
    'its session being ended from elsewhere',
    async (user, person) => {
      await person.signIn();
      const other = await elsewhere(user);
      const page = await other.open(sessionsPage);
      const form = page.forms.find(({ fields }) => fields.session);
      await other.submit({ ...page, forms: form ? [form] : [] }, `${sessionsPage}/submit`);
    },
  ],
  [
    'signing out everywhere else, from elsewhere',
    async (user) => {
      const other = await elsewhere(user);
      const page = await other.open(sessionsPage);
      await other.submit(page, `${sessionsPage}/submit`, { others: 'yes' });
    },
  ],
  [
    'being forgotten on the page that lists it',
    async (user) => {
      const other = await elsewhere(user);
      const page = await other.open(sessionsPage);
      expect(textOf(page.html)).toContain('Devices without a second step');
      const form = page.forms.find(({ fields }) => fields.device);
      const done = await other.submit(
        { ...page, forms: form ? [form] : [] },
        `${sessionsPage}/submit`,
      );
      expect(textOf(done.html)).toContain('You’ll be asked for your second step there again.');
    },
  ],
])('a remembered device is ended by %s', async (name, end) => {
  const { user, person } = await remembered();
  await end(user, person);
  expect(await rows(user.id)).toEqual([]);
  person.cookies.delete('gh_session');
  const word = /password/.test(name) ? newWord : password;
  expect(await isAsked(person, word)).toBe(true);
});

test('resetting the factors of a user ends remembered devices: a new factor is asked for', async () => {
  const { user, person } = await remembered();
  await removeFactors(user.id, actor, new Date());
  expect(await rows(user.id)).toEqual([]);
  expect(await isAsked(person)).toBe(false);
  const page = await person.open('/account/security/totp');
  const secret = secretOn(page);
  await person.submit(page, '/account/security/totp/submit', { code: codeOf(secret) });
  await person.signOut();
  expect(await isAsked(person)).toBe(true);
});

alike('forgetting all devices forgets all of one user, and none of another user', async () => {
  const { user, person } = await remembered();
  const other = await remembered();
  await person.signIn();
  const page = await person.open(sessionsPage);
  await person.submit(page, `${sessionsPage}/submit`, { devices: 'all' });
  expect(await rows(user.id)).toEqual([]);
  const [theirs] = await rows(other.user.id);
  await person.submit(page, `${sessionsPage}/submit`, { device: theirs?.id ?? '' });
  expect(await rows(other.user.id)).toHaveLength(1);
});

alike(
  'a remembered device does not count where the user or everyone must use two steps',
  async () => {
    const { user, person } = await remembered();
    await set('REQUIRE_SECOND_FACTOR', 'everyone');
    expect(await isAsked(person)).toBe(true);
    await set('REQUIRE_SECOND_FACTOR', null);
    await requireSecondFactor(user.id, true, actor, new Date());
    expect(await isAsked(person)).toBe(true);
    const page = await person.signIn();
    expect(page.html).not.toContain('name="remember"');
    await person.submit(page, submit, ticked(user, 1));
    expect(await rows(user.id)).toHaveLength(1);
  },
);

alike.each<[string, Record<string, string>, { requireSecondFactor?: true; maxSignInAge?: number }]>(
  [
    ['requires two steps', {}, { requireSecondFactor: true }],
    ['limits the age of a sign-in', {}, { maxSignInAge: 3600 }],
    ['asks for more than one factor', { acr_values: 'urn:gatehouse:mfa' }, {}],
    [
      'insists on it',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"urn:gatehouse:mfa"}}}' },
      {},
    ],
    ['asks for a sign-in', { prompt: 'login' }, {}],
    ['limits its age in the request', { max_age: '600' }, {}],
  ],
)('a remembered device does not count for an app that %s', async (_, params, rules) => {
  const { person } = await remembered();
  const client = await newClient({ firstParty: true, ...rules });
  const login = await person.open(
    authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid', ...params }),
  );
  expect((await person.signInAt(login)).at).toMatch(/^\/login\/factor\?flow=/);
});

alike('a remembered device does not count for the confirmation of an account change', async () => {
  const { user, person } = await remembered();
  await person.signIn();
  const page = await person.open('/account/sign-in');
  const refused = await person.submit(page, '/account/password/submit', {
    new_password: newWord,
    ...confirmedBy(''),
  });
  expect(textOf(refused.html)).toContain('Enter your password and a code.');
  const login = await person.open('/login?back=/account/delete');
  const step = await person.signInAt(login);
  expect(step.at).toMatch(/^\/login\/factor/);
  const home = await person.submit(step, submit, { code: codeOf(user.secret, 1) });
  expect(home.at).toBe('/account/delete');
});

alike('remembering a device is offered to admins only with REMEMBER_DEVICE_OF_ADMINS', async () => {
  const admin = await newUserWithApp({ isAdmin: true });
  const { person, page } = await atSecondStep(server, admin);
  expect(page.html).not.toContain('name="remember"');
  await person.submit(page, submit, ticked(admin));
  expect(await rows(admin.id)).toEqual([]);
  await set('REMEMBER_DEVICE_OF_ADMINS', 'on');
  const other = await remembered({ isAdmin: true });
  expect(await isAsked(other.person)).toBe(false);
  await other.person.signOut();
  await set('REMEMBER_DEVICE_OF_ADMINS', null);
  expect(await isAsked(other.person)).toBe(true);
});

test('a device is remembered for REMEMBER_DEVICE days since its second step, by the present setting', async () => {
  const { user, person } = await remembered();
  const ago = (days: number) =>
    write('UPDATE remembered_devices SET created_at = :at WHERE user_id = :id', {
      id: user.id,
      at: new Date(Date.now() - days * 24 * 3600_000),
    });
  await ago(29);
  expect(await isAsked(person)).toBe(false);
  await person.signOut();
  await ago(31);
  expect(await isAsked(person)).toBe(true);
  await set('REMEMBER_DEVICE', '60');
  expect(await isAsked(person)).toBe(false);
  await person.signOut();
  await set('REMEMBER_DEVICE', '0');
  const page = await person.signIn();
  expect(page.at).toBe('/login/factor');
  expect(page.html).not.toContain('name="remember"');
});

test('a user has at most twenty remembered devices, and the least recently used one is dropped', async () => {
  const { user, person } = await remembered();
  const [{ id: _, hash: __, ...first }] = (await rows(user.id)) as [
    Awaited<ReturnType<typeof rows>>[number],
  ];
  const old = new Date(Date.now() - 3600_000);
  await (await prisma()).rememberedDevice.createMany({
    data: Array.from({ length: 20 }, (_each, index) => ({
      ...first,
      id: `${user.id}-${index}`,
      hash: `${user.id}-${index}`,
      lastUsedAt: old,
    })),
  });
  const { person: other, page } = await atSecondStep(server, user);
  await other.submit(page, submit, ticked(user, 1));
  expect(await rows(user.id)).toHaveLength(20);
  expect(await isAsked(person)).toBe(false);
});

test('a remembered device used twice at the same moment skips the second step once', async () => {
  const { user, person } = await remembered();
  const copy = new Person(server, user.username);
  for (const [name, each] of person.cookies) copy.cookies.set(name, each);
  const pages = await Promise.all([person, copy].map((each) => each.open('/login')));
  const ends = await Promise.all(
    [person, copy].map((each, index) => each.signInAt(pages[index] as (typeof pages)[number])),
  );
  expect(ends.map(({ at }) => at).sort()).toEqual(['/account', '/login/factor']);
});

alike('without a second factor no device is remembered', async () => {
  const person = await newVisitor(server);
  await person.signIn();
  expect(value(person)).toBeUndefined();
  expect(textOf((await person.open(sessionsPage)).html)).not.toContain('without a second step');
});
