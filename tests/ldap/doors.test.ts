import { describe, expect, test } from 'vitest';
import { allow } from '#lib/store/access.ts';
import { newAppPasswordOf } from '../support/app-passwords.ts';
import { connect, newLdapApp, openLdapServer, ruleOf } from '../support/ldap.ts';
import { type Reason, reasons } from '../support/reasons.ts';
import { newUser, password } from '../support/seed.ts';

/* Every way of a person into an app over LDAP, with every reason that keeps them out. */

const { ldap } = await openLdapServer();

async function scene() {
  const client = await newLdapApp({ access: 'listed', appPasswords: true, ldapPasswords: true });
  const user = await newUser();
  await allow(client.id, { groups: [], people: [user.id] }, [], new Date());
  const dn = `uid=${user.username},ou=people,${client.dn}`;
  const connection = await connect(ldap.url);
  return { client, person: { user, address: '' }, dn, connection };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** A way in: what happens before the reason arises, and what is tried then: a rule or a code; null: they are in. */
type Door = (at: Scene) => Promise<() => Promise<string | null>>;

const seen = async ({ dn, connection }: Scene) =>
  connection.search(dn, { scope: 'base' }).then(
    () => null,
    (error: { code: number }) => String(error.code),
  );

const doors: Record<string, Door> = {
  'bind with an app password': async ({ client, person, dn, connection }) => {
    const text = await newAppPasswordOf(person.user, client);
    return () => ruleOf(connection.bind(dn, text));
  },
  'bind with their own password': async ({ dn, connection }) => {
    return () => ruleOf(connection.bind(dn, password));
  },
  'connection that an app password opened': async (at) => {
    await at.connection.bind(at.dn, await newAppPasswordOf(at.person.user, at.client));
    return () => seen(at);
  },
  'connection that their own password opened': async (at) => {
    await at.connection.bind(at.dn, password);
    return () => seen(at);
  },
};

/** What refuses a bind with an app password, and with their own; undefined: nothing. */
const expected: Record<Reason, readonly [app?: string, own?: string]> = {
  'they lost access': ['access.not-listed', 'access.not-listed'],
  'they are not listed': ['access.not-listed', 'access.not-listed'],
  'they are disabled': ['app-password.unknown', 'ldap.password'],
  'the app is disabled': ['ldap.name', 'ldap.name'],
  'the app has networks, and they are elsewhere': ['access.network', 'access.network'],
  'the app requires a second factor': ['second-factor-required', 'second-factor-required'],
  'this server requires a second factor of them': [
    'second-factor-required',
    'second-factor-required',
  ],
  // Each bind is a sign-in.
  'their sign-in is too old': [],
  'their sign-in is over': [],
  'they have not agreed to terms of use': ['terms.required', 'terms.required'],
  'admins refused the app': ['approval.refused', 'approval.refused'],
};

describe.each(Object.entries(doors))('%s', (name, door) => {
  test('lets a listed person in', async () => {
    expect(await (await door(await scene()))()).toBeNull();
  });

  test.each(Object.entries(expected))('when %s', async (reason, [app, own]) => {
    const at = await scene();
    const trying = await door(at);
    await reasons[reason as Reason](at);
    const rule = (name.includes('own password') ? own : app) ?? null;
    // A connection is not told why it ends.
    expect(await trying()).toBe(rule !== null && name.startsWith('connection') ? '50' : rule);
  });
});

test('a person who lost access is found no more', async () => {
  const at = await scene();
  const app = await connect(ldap.url, at.client);
  const filter = `(uid=${at.person.user.username})`;
  expect((await app.search(at.client.dn, { filter })).searchEntries).toHaveLength(1);
  await reasons['they lost access'](at);
  expect((await app.search(at.client.dn, { filter })).searchEntries).toEqual([]);
});
