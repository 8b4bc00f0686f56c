import { beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { examineLetter } from '#lib/doctor/letter.ts';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { vouchedAddress } from '#lib/identity/upstream/account-match.ts';
import { isOfDomains } from '#lib/identity/upstream/provider-kinds.ts';
import { importActs } from '#lib/import/acts.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { brandingFaults } from '#lib/management/branding/branding.ts';
import { invitationActs } from '#lib/management/invitation/acts.ts';
import { providerActs } from '#lib/management/provider/acts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { deleteUser } from '#lib/management/user/users.ts';
import {
  mailtoOf,
  readEmail,
  readMailto,
  readVouchedEmail,
  shownEmail,
} from '#lib/people/email.ts';
import { domainOf } from '#lib/people/webfinger.ts';
import { documentHosts, domains as domainsSetting } from '#lib/settings/kinds.ts';
import { mayRegister } from '#lib/settings/registration.ts';
import { parseSecurityContact } from '#lib/settings/security-contact.ts';
import type { Provider } from '#lib/store/providers.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { cli } from '../cli/command-line.ts';
import { actor, password, unique } from '../management/people.ts';
import { openOwnServer } from '../support/open-server.ts';
import { Person, postSignIn } from '../support/person.ts';
import { set } from '../support/settings.ts';
import { addresses, domains, notAddresses, notDomains } from './addresses-of-people.ts';
import { filesThatUse, linesWith } from './doors.ts';

const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };
const server = await openOwnServer('sqlite', { MAIL_URL: 'smtp://127.0.0.1:1' });
const rows = addresses.map((row) => [row.why, row] as const);
const wrong = notAddresses.map((row) => [row.why, row] as const);
const hostOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);
/** Each door has its own person, as an address has one account. */
const without = async (email: string) => {
  const user = await findUserByLogin(email);
  if (user) await deleteUser(user.id, actor, new Date());
};
const newUser = (email: string) => {
  const username = unique('mail');
  return perform(userActs.create, { username, email, password }, by);
};
const outcome = async (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    () => 'refused',
  );

beforeEach(async () => {
  await set('REGISTRATION', 'open');
  await set('REGISTRATION_DOMAINS', null);
});

test.each(rows)('%s', (_, { typed, stored, shown = stored }) => {
  expect([readEmail(typed), readEmail(stored), readEmail(shown)]).toEqual([stored, stored, stored]);
  expect(shownEmail(stored)).toBe(shown);
});

test.each(wrong)('no address: %s', (_, { typed }) => expect(readEmail(typed)).toBeNull());

describe.each(rows)('%s', (_, { typed, stored, shown = stored }) => {
  test('an account is made, changed and found by every spelling', async () => {
    await without(stored);
    const made = await newUser(typed);
    expect(made.email).toBe(stored);
    for (const spelling of [typed, stored, shown, stored.toUpperCase()])
      expect((await findUserByLogin(spelling))?.id).toBe(made.id);
    await without(stored);
    const other = await newUser(`${unique('other')}@example.org`);
    const changed = await perform(userActs.update, { id: other.id, email: typed }, by);
    expect(changed.email).toBe(stored);
  });

  test('it signs in, and the app that hints at it is understood', async () => {
    await without(stored);
    await newUser(stored);
    const answer = await postSignIn(new Person(server), typed, password);
    expect(answer.headers.get('location')).toBe('/account');
  });

  test('it is invited, on its own and in a list, once', async () => {
    await without(stored);
    const invited = await perform(invitationActs.create, { email: typed }, by);
    expect(invited.email).toBe(stored);
    const list = `email,name\n"${shown.replaceAll('"', '""')}",Ada`;
    expect(
      await perform(importActs.read, { list }, { ...by, actor: { ...actor, id: unique('admin') } }),
    ).toMatchObject({
      invited: 1,
      wrong: 0,
    });
    await perform(invitationActs.delete, { id: invited.id }, by);
  });

  test('it comes with an import, and is the same person the second time', async () => {
    await without(stored);
    const text = JSON.stringify({ people: [{ username: unique('come'), email: typed }] });
    const move = () =>
      moveIn(
        readArrivals({ from: 'json', text }),
        'json',
        { leaveOut: false, agreed: () => true },
        by,
      );
    expect((await move()).coming).toMatchObject([{ email: stored }]);
    expect((await move()).coming).toEqual([]);
  });

  test('it registers, and its domain may be the only one that may', async () => {
    const person = new Person(server);
    const post = async (email: string) => {
      const page = await person.open('/register');
      return (await person.submit(page, '/register/submit', { email })).at;
    };
    await set('REGISTRATION', 'domains');
    await set('REGISTRATION_DOMAINS', hostOf(shown));
    expect(
      mayRegister(
        { registration: 'domains', registrationDomains: [hostOf(stored)] } as never,
        stored,
      ),
    ).toBe('yes');
    expect(await post(typed)).toBe('/register/sent');
    await set('REGISTRATION_DOMAINS', 'elsewhere.example');
    expect(await post(typed)).toBe('/register');
  });

  test('a provider that vouches for its stored spelling means it, and nobody who only looks alike', () => {
    const said = (email: string) => ({ claims: { email, email_verified: true } });
    const of = { kind: 'openid', domains: [hostOf(stored)] } as unknown as Provider;
    expect(vouchedAddress(of, said(stored))).toBe(stored);
    expect(isOfDomains(of, said(shown).claims)).toBe(true);
    expect([null, stored]).toContain(readVouchedEmail(typed));
  });

  test('mail is sent from it, and to it', async () => {
    const { from } = parseConfig({
      MAIL_FROM: `Ada <${shown}>`,
      SERVER_SECRET: 'x'.repeat(64),
    }).mail;
    expect(from).toEqual({ name: 'Ada', address: stored });
    expect((await examineLetter(typed, new Date())).says).not.toContain('is no email address');
  });
});

describe.each(wrong)('no address: %s', (_, { typed }) => {
  test('every door says so', async () => {
    expect(await outcome(newUser(typed))).toBe('refused');
    expect(await outcome(perform(invitationActs.create, { email: typed }, by))).toBe('refused');
    const people = [{ username: unique('come'), email: typed }];
    const arrivals = readArrivals({ from: 'json', text: JSON.stringify({ people }) });
    const judged = await moveIn(arrivals, 'json', { leaveOut: true, agreed: () => false }, by);
    expect(judged.wrong).toHaveLength(1);
    expect(
      vouchedAddress({ kind: 'openid' } as Provider, {
        claims: { email: typed, email_verified: true },
      }),
    ).toBeNull();
  });
});

test('a command takes an address in its letters and shows it so', async () => {
  const username = unique('cli');
  const email = `${username}@exämple.de`;
  const made = await cli(
    ['user', 'create', '--username', username, '--email', email, '--password', '-', '--json'],
    password,
  );
  expect(JSON.parse(made.stdout)).toMatchObject({ email: `${username}@xn--exmple-cua.de` });
  expect((await cli(['user', 'show', email])).stdout).toContain(email);
});

test('a mailbox that becomes another by folding is not the other', () => {
  for (const said of [
    'ſam@example.org',
    'ａda@example.org',
    '\u2800ada@example.org',
    'ada\u200b@example.org',
    '\u212aate@example.org',
  ])
    expect(readVouchedEmail(said)).toBeNull();
});

/** Every place that takes a domain, and what it makes of one; null: it refuses it. */
const ofDomains: Record<string, (typed: string) => unknown> = {
  'an address': (typed) => readEmail(`ada@${typed}`)?.slice('ada@'.length) ?? null,
  REGISTRATION_DOMAINS: (typed) => domainsSetting.parse(typed)?.[0] ?? null,
  'hosts of metadata documents': (typed) => documentHosts.parse(typed)?.[0] ?? null,
  'verified_domains of a directory': (typed) => orNull(() => directoryOf(typed).verifiedDomains[0]),
  'the domains of a provider': async (typed) => {
    const said = { kind: 'google' as const, client_id: 'a', secret: 's3cret', slug: unique('way') };
    const made = perform(providerActs.create, { ...said, domains: [typed] }, by);
    return made.then(({ domains: [domain] }) => domain).catch(() => null);
  },
};
const orNull = <T>(read: () => T) => {
  try {
    return read();
  } catch {
    return null;
  }
};
const directoryOf = (typed: string) => {
  const people = { base: 'dc=example', verified_domains: [typed] };
  const said = { id: 'staff', name: 'Staff', servers: ['ldaps://ldap.example.org'], people };
  const [directory] = readDirectories(JSON.stringify({ directories: [said] }), '/');
  if (!directory) throw new Error('No directory.');
  return directory;
};

describe.each(Object.entries(ofDomains))('a domain in %s', (_, read) => {
  test.each(domains)('$why', async ({ typed, stored }) => {
    expect([await read(typed), await read(stored)]).toEqual([stored, stored]);
  });
  test.each(notDomains)('no domain: %s', async (typed) => expect(await read(typed)).toBeNull());
});

test.each(domains)('a domain that others say is compared as it is stored: $why', (row) => {
  const { typed, stored } = row;
  const said = (hd: string) => isOfDomains({ kind: 'google', domains: [stored] }, { hd });
  expect([said(typed), said('other.example')]).toEqual([true, false]);
  expect(domainOf(`acct:ada@${typed}`)).toBe(stored);
});

test('a host of metadata documents may stand for all below it', () => {
  expect(documentHosts.parse('*.Exämple.de any')).toEqual(['*.xn--exmple-cua.de', 'any']);
  expect(documentHosts.parse('*')).toBeUndefined();
});

test('every place that takes a domain is one of these', () => {
  expect(filesThatUse('readDomain', 'lib/people/email.ts')).toEqual([
    'lib/identity/directory/configured.ts',
    'lib/identity/upstream/provider-kinds.ts',
    'lib/management/provider/providers.ts',
    'lib/management/provider/rules.ts',
    'lib/people/webfinger.ts',
    'lib/settings/kinds.ts',
  ]);
  expect(linesWith(/domainTo(ASCII|Unicode)\(/).map((line) => line.split(':')[0])).toEqual(
    Array(3).fill('lib/people/email.ts'),
  );
});

test.each(rows)('a mailto: link to it is read: %s', (_, { typed, stored }) => {
  expect(readMailto(mailtoOf(typed))).toBe(stored);
  expect(parseSecurityContact(`${mailtoOf(stored)}?subject=x`)).toBe(
    `${mailtoOf(stored)}?subject=x`,
  );
  expect(() => parseSecurityContact(stored)).toThrow(`Set SECURITY_CONTACT=${mailtoOf(stored)}`);
  const link = {
    name: null,
    accent: null,
    supportLink: mailtoOf(stored),
    footerLinks: [],
    words: {},
  };
  expect(brandingFaults(link)).toEqual({});
});

test.each(wrong)('no mailto: link: %s', (_, { typed }) => {
  if (!typed.isWellFormed()) return;
  const uri = mailtoOf(typed);
  expect(readMailto(uri)).toBeNull();
  expect(() => parseSecurityContact(uri)).toThrow('has to be where');
  const link = { name: null, accent: null, supportLink: uri, footerLinks: [], words: {} };
  expect(brandingFaults(link)).toHaveProperty('supportLink');
});

test('every door of an address is above, and nothing else judges one', () => {
  expect(linesWith(/z\.email\(|\.email\(\)/)).toEqual([]);
  expect(filesThatUse('readEmail', 'lib/people/email.ts')).toEqual([
    'lib/config.ts',
    'lib/doctor/letter.ts',
    'lib/identity/accounts.ts',
    'lib/settings/security-contact.ts',
  ]);
  expect(filesThatUse('readMailto', 'lib/people/email.ts')).toEqual([
    'lib/management/branding/branding.ts',
    // tests/world/own-words.test.ts
    'lib/management/branding/words.ts',
    'lib/settings/security-contact.ts',
  ]);
  expect(filesThatUse('readVouchedEmail', 'lib/people/email.ts')).toEqual([
    'lib/identity/directory/follow.ts',
    'lib/identity/upstream/account-match.ts',
  ]);
  expect(filesThatUse('emailAddress', 'lib/identity/accounts.ts')).toEqual([
    'app/register/submit.ts',
    'lib/identity/email-change.ts',
    'lib/import/heads.ts',
    'lib/import/judge-arrivals.ts',
    'lib/import/judge.ts',
    'lib/management/invitation/invitations.ts',
    'lib/management/user/user-profile.ts',
  ]);
});
