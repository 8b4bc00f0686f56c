import { describe, expect, test } from 'vitest';
import { disableUser } from '#lib/management/user/users.ts';
import { en } from '#lib/messages/compiled/en.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { normalKey } from '#lib/store/users.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  authorizePath,
  isSignedIn,
  newPerson,
  Person,
  pageOf,
  postSignIn,
} from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer();
const client = await newClient({ firstParty: true });
/** A request for which even a signed-in person has to sign in again. */
const askAnew = authorizePath({ client_id: client.id, response_type: 'code', prompt: 'login' });
const onNext = server.mount === 'next';
const sessionCookie = (person: Person) =>
  [...person.cookies].find(([name]) => name.endsWith('session'));
/** Tries wrong passwords one after another, without opening the pages they lead to. */
const fail = async (
  person: Person,
  times: number,
  usernameOf = (_try: number) => person.username,
) => {
  for (let each = 0; each < times; each += 1)
    expect((await postSignIn(person, usernameOf(each), `wrong ${each}`)).status).toBe(303);
};

describe('sign-in (section 7)', () => {
  test.each([
    ['user name', (user: { username: string }) => user.username],
    ['e-mail address', (user: { email: string }) => user.email],
    ['user name in capitals', (user: { username: string }) => user.username.toUpperCase()],
    [
      'user name in full-width letters',
      (user: { username: string }) => user.username.replace('p', 'ｐ'),
    ],
    ['user name with spaces around', (user: { username: string }) => ` ${user.username} `],
  ])('works by %s', async (_, loginOf) => {
    const user = await newUser();
    expect(
      (await new Person(server).signIn(loginOf(user as { username: string; email: string }))).at,
    ).toBe('/account');
  });

  test('a wrong password, an unknown and a disabled user get the same answer, with the name and without the password', async () => {
    const known = await newUser();
    const disabled = await newUser();
    await disableUser(disabled.username, { id: 'cli' }, new Date());
    for (const [name, word] of [
      [known.username, 'wrong-word-1'],
      ['nobody-at-all', password],
      [disabled.username, password],
    ] as const) {
      const page = await new Person(server).signIn(name, word);
      expect([page.at, page.status]).toEqual(['/login', 200]);
      expect(textOf(page.html)).toContain(en['signIn.wrong']);
      expect(page.html).toContain(`value="${name}"`);
      expect(page.html).not.toContain(word);
    }
  });

  test('the message of a failed sign-in is shown in its own browser, and in no other', async () => {
    const person = new Person(server, 'nobody');
    expect(textOf((await person.signIn()).html)).toContain(en['signIn.wrong']);
    const other = new Person(server);
    expect(textOf((await other.open('/login')).html)).not.toContain(en['signIn.wrong']);
  });

  test('an empty name or password is asked for again', async () => {
    const user = await newUser();
    expect(textOf((await new Person(server).signIn(user.username, '')).html)).toContain(
      en['signIn.passwordMissing'],
    );
    expect(textOf((await new Person(server).signIn(' ', password)).html)).toContain(
      en['signIn.usernameMissing'],
    );
  });

  test('part of a password, another case of it or a far longer one is wrong', async () => {
    const user = await newUser();
    for (const word of [
      password.slice(1),
      `${password} `,
      `${password}${'x'.repeat(5000)}`,
      password.toUpperCase(),
    ]) {
      expect((await new Person(server).signIn(user.username, word)).at).toBe('/login');
    }
  });
});

describe('the session of a user', () => {
  test('has a cookie with HttpOnly and SameSite=Lax, without Domain', async () => {
    const user = await newUser();
    const person = new Person(server, user.username);
    const page = await person.open('/login');
    const { body, headers } = person.postOf(page, '/login/submit', {
      username: user.username,
      password,
    });
    const cookies = (
      await person.request('/login/submit', { method: 'POST', body, headers })
    ).headers.getSetCookie();
    const cookie = cookies.find((line) => /^\S*session=/.test(line));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
    expect(cookie).not.toMatch(/domain/i);
  });

  test('has a new id at each sign-in, and the old one ends', async () => {
    const person = await newPerson(server);
    const before = sessionCookie(person);
    await person.signInAt(await person.open(askAnew));
    expect(sessionCookie(person)).not.toEqual(before);
    const thief = new Person(server);
    thief.cookies.set(...(before ?? ['', '']));
    expect(await isSignedIn(thief)).toBe(false);
  });

  test('that an attacker planted in a browser is replaced at sign-in and ends (session fixation)', async () => {
    const attacker = await newPerson(server);
    const victim = new Person(server, (await newUser()).username);
    victim.cookies.set(...(sessionCookie(attacker) ?? ['', '']));
    const planted = sessionCookie(victim);
    await victim.signInAt(await victim.open(askAnew));
    expect(sessionCookie(victim)).not.toEqual(planted);
    expect(await isSignedIn(attacker)).toBe(false);
  });

  test('ends in the database at sign-out', async () => {
    const person = await newPerson(server);
    const copy = new Person(server);
    copy.cookies.set(...(sessionCookie(person) ?? ['', '']));
    expect(await isSignedIn(copy)).toBe(true);
    const done = await person.signOut();
    expect(done.at).toBe('/logout/done');
    expect([await isSignedIn(person), await isSignedIn(copy)]).toEqual([false, false]);
  });

  test('ends when it is deleted or has expired', async () => {
    const one = await newPerson(server);
    const two = await newPerson(server);
    const db = await prisma();
    await db.session.deleteMany({ where: { userId: one.user.id } });
    await db.session.updateMany({
      where: { userId: two.user.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false]);
  });

  test('cannot be taken over with the hash in the database', async () => {
    const person = await newPerson(server);
    const where = { userId: person.user.id };
    const { hash } = await (await prisma()).session.findFirstOrThrow({ where });
    const thief = new Person(server);
    thief.cookies.set(sessionCookie(person)?.[0] ?? '', hash);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test.each([
    '',
    'nonsense',
    'Fe26.2*1*aa*bb*cc**dd*ee',
    'Fe26.2*9*aa*bb*cc**dd*ee~2',
    'x'.repeat(3000),
    '%ff%00',
    '"; a=b',
  ])('is not found with an invalid cookie: %j', async (value) => {
    const person = await newPerson(server);
    const outsider = new Person(server);
    outsider.cookies.set(sessionCookie(person)?.[0] ?? '', value);
    expect((await outsider.open('/account')).at).toMatch(/^\/login/);
    for (const name of ['gh_browser', 'gh_device', 'gh_notice']) outsider.cookies.set(name, value);
    expect((await outsider.open('/login')).status).toBe(200);
    expect((await outsider.open('/')).status).toBe(200);
  });
});

describe('password guessing (section 7)', () => {
  test('after ten failures the right password is refused, with the same message as for an unknown name', async () => {
    const user = await newUser();
    await fail(new Person(server, user.username), 10);
    const page = await new Person(server).signIn(user.username);
    expect(page.at).toBe('/login');
    const unknown = new Person(server, `x${user.username}`);
    await fail(unknown, 10);
    const other = await new Person(server).signIn(unknown.username, 'wrong');
    expect(textOf(other.html)).toBe(textOf(page.html).replace(user.username, unknown.username));
    expect(textOf(page.html)).toContain('Too many attempts. Try again in 1 minute. Or ');
  });

  test('after nine failures the right password works, and resets the count', async () => {
    const person = new Person(server, (await newUser()).username);
    for (let round = 0; round < 2; round += 1) {
      const outsider = new Person(server, person.username);
      await fail(outsider, 9);
      expect((await outsider.signIn()).at).toBe('/account');
    }
  });

  test('after ten failures an unknown name is refused as an existing one', async () => {
    const name = `nobody-${Date.now()}`;
    await fail(new Person(server, name), 10);
    expect(textOf((await new Person(server).signIn(name)).html)).toMatch(/too many attempts/i);
  });

  test('failures by user name do not affect sign-in by the email address of the account', async () => {
    const user = await newUser();
    await fail(new Person(server), 11, () => user.username);
    const page = await new Person(server).signIn(user.email, 'wrong');
    expect(textOf(page.html)).toContain(en['signIn.wrong']);
  });

  test('failures for one account do not affect another', async () => {
    const target = await newUser();
    const neighbour = await newUser();
    await fail(new Person(server, target.username), 11);
    expect((await new Person(server).signIn(neighbour.username)).at).toBe('/account');
  });

  test('the user can still sign in from a known browser, which has its own count', async () => {
    const owner = await newPerson(server);
    await owner.signOut();
    await fail(new Person(server, owner.username), 12);
    expect((await owner.signIn()).at).toBe('/account');
    await owner.signOut();
    await fail(owner, 10);
    expect((await owner.signIn()).at).toBe('/login');
  });

  test('a browser known to another user’s account does not count as known', async () => {
    const other = await newPerson(server);
    const target = await newUser();
    await fail(new Person(server, target.username), 10);
    await other.signOut();
    expect((await other.signIn(target.username)).at).toBe('/login');
  });

  test('the block ends, and each next one is longer, up to 15 minutes', async () => {
    const user = await newUser();
    const db = await prisma();
    const where = { key: `login:${digest(normalKey(user.username))}` };
    const pauses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await fail(new Person(server, user.username), 11);
      const row = await db.throttle.findUniqueOrThrow({ where });
      const minutes = Math.round((row.blockedUntil.getTime() - row.windowStart.getTime()) / 60_000);
      const told = textOf((await new Person(server).signIn(user.username)).html);
      expect(told).toContain(`Try again in ${minutes} minute`);
      pauses.push(minutes);
      await db.throttle.update({ where, data: { blockedUntil: new Date(Date.now() - 1) } });
    }
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
    expect((await new Person(server).signIn(user.username)).at).toBe('/account');
  });

  test('thirty failures from one address block that address, where addresses are known', async () => {
    const attacker = new Person(server);
    await fail(attacker, 30, (each) => `nobody-${each}-${Date.now()}`);
    const user = await newUser();
    // Only `next start` cannot know anyone's address.
    expect((await attacker.signIn(user.username)).at).toBe(onNext ? '/account' : '/login');
    expect((await new Person(server).signIn(user.username)).at).toBe('/account');
  });

  test('successful sign-ins do not count towards the limit of an address', async () => {
    const office = new Person(server);
    const user = await newUser();
    for (let each = 0; each < 32; each += 1) {
      const { headers } = await postSignIn(office, user.username);
      expect(headers.get('location')).toBe('/account');
    }
  });

  test('a known browser can sign in at an address that others have used up', async () => {
    const owner = await newPerson(server);
    await owner.signOut();
    const outsider = Object.assign(new Person(server), { address: owner.address });
    await fail(outsider, 31, (each) => `nobody-${each}-${Date.now()}`);
    expect((await owner.signIn()).at).toBe('/account');
  });

  test('right passwords at the same time, 20 of one user and 40 at one address, all succeed', async () => {
    const direct = await server.secondProcess();
    // A busy machine hashes them so slowly that browsers would have to work first.
    await set('PROOF_OF_WORK', 'off');
    const enter = async (username: string, address: string) => {
      const person = Object.assign(new Person(direct), { address });
      return (await postSignIn(person, username)).headers.get('location');
    };
    const { username } = await newUser();
    const { address } = new Person(direct);
    const ofOne = Array.from({ length: 20 }, () => enter(username, new Person(direct).address));
    expect(new Set(await Promise.all(ofOne))).toEqual(new Set(['/account']));
    const colleagues = await Promise.all(Array.from({ length: 40 }, () => newUser()));
    const ofMany = colleagues.map((each) => enter(each.username, address));
    expect(new Set(await Promise.all(ofMany))).toEqual(new Set(['/account']));
    await set('PROOF_OF_WORK', null);
  });

  // `next start` takes so long for each post that the queue seldom fills.
  test.skipIf(onNext)(
    'password checks beyond capacity are 503 with Retry-After and the form, which works when sent again',
    async () => {
      const slow = await server.another({ BCRYPT_COST: '8', PROOF_OF_WORK: 'off' });
      const user = await newUser();
      const opener = new Person(slow);
      const opened = await opener.open('/login');
      const flood = Array.from({ length: 160 }, async (_, each) => {
        const person = new Person(slow);
        for (const [name, value] of opener.cookies) person.cookies.set(name, value);
        const post = opener.postOf(opened, '/login/submit', {
          username: `nobody-${each}`,
          password: 'wrong',
        });
        const answer = await person.request('/login/submit', { method: 'POST', ...post });
        return { person, page: pageOf('/login/submit', answer, await answer.text()) };
      });
      // A 503 without a form means that the database was busy.
      const busy = (await Promise.all(flood)).filter(
        ({ page }) => page.status === 503 && page.forms.length > 0,
      );
      expect(busy.length).toBeGreaterThan(0);
      for (const each of busy) {
        expect(each.page.headers.get('retry-after')).toBe('5');
        expect(each.page.html).not.toContain('value="wrong"');
      }
      const first = busy[0];
      const again = first && (await first.person.signInAt(first.page, user.username));
      expect(again?.at).toBe('/account');
    },
  );
});
