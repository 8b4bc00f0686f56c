import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '#lib/identity/passwords.ts';
import { linkBasis, makeLink, openLink } from '#lib/mail/links.ts';
import { denySignIn } from '#lib/store/denied-sign-ins.ts';
import { write } from '#lib/store/engine/database.ts';
import { readFactors } from '#lib/store/factors.ts';
import { listIdentities, removeIdentity, unlinkIdentity } from '#lib/store/identities.ts';
import { redeemResetLink } from '#lib/store/links.ts';
import { findUser } from '#lib/store/users.ts';
import { races } from '../lanes.ts';
import { atProvider, newSub, verified, type Way } from '../support/at-provider.ts';
import { codeOf, noFactors, secretOn } from '../support/factors.ts';
import { LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, isSignedIn, Person } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
// Two server processes on one database; this process is a third.
const second = await server.secondProcess();
const either = (index: number) => (index % 2 === 0 ? server : second);
const { newWay, goThrough, newLinked, begin, comeBack } = atProvider(server, idp);
const rounds = races(server.mount === 'next' ? 2 : 12);
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

let way: Way;
let newHash = '';
// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
  way = await newWay();
  newHash = await hashPassword('an unusual pass phrase');
});

async function basisOf({ id }: TestUser) {
  const user = await findUser(id);
  if (!user) throw new Error('Nobody is there.');
  return { user, basis: linkBasis(user) };
}

/** The same browser at one of the two processes. */
function copyAt(person: Person, index: number): Person {
  const copy = new Person(either(index), person.username);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  return copy;
}

/**
 * What ends everything held by anyone who knows the password, done through a person's mail or by an
 * admin.
 */
type Ending = [name: string, prepare: (user: TestUser) => Promise<() => Promise<unknown>>];
const byMail: Ending[] = [
  [
    'a password is reset by mail',
    async (of) => {
      const { user, basis } = await basisOf(of);
      const { token } = await makeLink({ purpose: 'reset', user, email: of.email }, new Date());
      const opened = await openLink(token, ['reset'], new Date());
      if (!opened) throw new Error('The link does not open.');
      const event = { type: 'password.reset', userId: of.id } as const;
      return () => redeemResetLink(opened.link, basis, newHash, event, new Date());
    },
  ],
  [
    'somebody says that a sign-in was not theirs',
    async (of) => {
      const { user, basis } = await basisOf(of);
      const { token } = await makeLink({ purpose: 'not-me', user, email: of.email }, new Date());
      const opened = await openLink(token, ['not-me'], new Date());
      if (!opened) throw new Error('The link does not open.');
      const event = { type: 'sign-in.denied', userId: of.id } as const;
      const denied = { link: opened.link, account: basis, since: new Date() };
      return () => denySignIn(denied, () => event, new Date());
    },
  ],
];

test('enrolment of a second factor is refused once the identity it came by is unlinked or its provider disabled', async () => {
  const client = await newClient({ requireSecondFactor: true });
  const params = { client_id: client.id, response_type: 'code', redirect_uri: client.redirectUri };
  const off = 'UPDATE providers SET enabled = FALSE WHERE id = :id';
  const losses = [
    async (userId: string) => {
      const [identity] = await listIdentities(userId);
      const which = { userId, id: identity?.id ?? '', keepHash: 'elsewhere' };
      const event = { type: 'identity.unlinked', userId } as const;
      expect(await unlinkIdentity(which, event, new Date())).toBe('unlinked');
    },
    (_: string, { id }: Way) => write(off, { id }),
  ];
  for (const lose of losses) {
    const there = await newWay();
    const { user, subject } = await newLinked(there);
    const person = new Person(server);
    const flow = new URL((await person.open(authorizePath(params))).at, server.base).search;
    const page = await comeBack(person, await begin(person, there, flow), { sub: subject });
    expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
    await lose(user.id, there);
    const code = codeOf(secretOn(page));
    const end = await person.submit(page, '/login/enrol/submit', { code });
    expect(end.at).toMatch(/^\/login\?flow=/);
    expect(await readFactors(user.id)).toEqual(noFactors);
  }
});

describe.each(byMail)('linking an identity while %s', (_, prepare) => {
  test('is not done, and the session ends', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const user = await newUser();
      const person = new Person(server, user.username);
      idp.lies = {};
      const claims = { sub: newSub(), ...verified(user.email) };
      const asks = await person.signInAt(await goThrough(person, way, claims));
      expect(asks.at).toMatch(/^\/login\/link/);
      const post = { method: 'POST', ...person.postOf(asks, '/login/link/submit') };
      const end = await prepare(user);
      await Promise.all([
        times(4, (index) => copyAt(person, index).request('/login/link/submit', post)),
        end(),
      ]);
      expect(await listIdentities(user.id)).toEqual([]);
      expect(await isSignedIn(person)).toBe(false);
    }
  });
});

describe.each<Ending>([
  ...byMail,
  [
    'an admin unlinks the identity',
    async ({ id: userId }) => {
      const [identity] = await listIdentities(userId);
      const event = { type: 'identity.unlinked', userId } as const;
      return () => removeIdentity({ userId, id: identity?.id ?? '' }, event, new Date());
    },
  ],
  [
    'its person unlinks the identity',
    async ({ id: userId }) => {
      const [identity] = await listIdentities(userId);
      // The last way to sign in cannot be removed, so there is a second identity.
      await giveIdentity(userId, await newProvider());
      const event = { type: 'identity.unlinked', userId } as const;
      const which = { userId, id: identity?.id ?? '', keepHash: 'elsewhere' };
      return () => unlinkIdentity(which, event, new Date());
    },
  ],
])('sign-in with a linked identity while %s', (_, prepare) => {
  test('leaves no session', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { user, subject } = await newLinked(way);
      // Without a password, only the epoch distinguishes an old sign-in from a new one.
      await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id: user.id });
      idp.lies = {};
      const backs = await times(6, async (index) => {
        const person = new Person(either(index));
        return { person, back: idp.answer((await begin(person, way)).at, { sub: subject }) };
      });
      const end = await prepare(user);
      const coming = backs.map(({ person, back }) => person.request(back));
      // In every other round, one person is already in.
      if (round % 2 === 1) await Promise.race(coming);
      await Promise.all([Promise.all(coming), end()]);
      for (const { person } of backs) expect(await isSignedIn(person)).toBe(false);
    }
  });
});
