import { beforeAll, describe, expect, test } from 'vitest';
import { cellText } from '#lib/cli/text.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { apiActs } from '#lib/management/api/acts.ts';
import { apiKeyActs } from '#lib/management/api-key/acts.ts';
import { brandingActs } from '#lib/management/branding/acts.ts';
import { fieldActs } from '#lib/management/field/acts.ts';
import { groupActs } from '#lib/management/group/acts.ts';
import { groupNameFault } from '#lib/management/group/groups.ts';
import { invitationActs } from '#lib/management/invitation/acts.ts';
import { providerActs } from '#lib/management/provider/acts.ts';
import { registrationTokenActs } from '#lib/management/registration-token/acts.ts';
import { scopeActs } from '#lib/management/scope/acts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { clientOfMetadata } from '#lib/oauth/client-metadata.ts';
import { foldName, isSoundName, readName, shownName } from '#lib/oauth/name.ts';
import { actor, newApp, password, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { set } from '../support/settings.ts';
import { filesThatUse, linesWith } from './doors.ts';
import { names, notNames } from './names.ts';

const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };
const newUser = (name: string) => {
  const username = unique('name');
  const email = `${username}@example.org`;
  return perform(userActs.create, { username, email, password, name }, by);
};
const planned = (person: object) => {
  const arrivals = readArrivals({ from: 'json', text: JSON.stringify({ people: [person] }) });
  return moveIn(arrivals, 'json', { leaveOut: false, agreed: () => false }, by);
};
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    () => 'refused',
  );

test.each(names)('a name is read: $why', ({ typed, kept }) => {
  expect([readName(typed, 100), readName(kept, 100)]).toEqual([kept, kept]);
  expect(isSoundName(kept, 100)).toBe(true);
  expect(cellText(kept)).toBe(kept);
});

test.each(notNames)('no name: $why', ({ typed }) => {
  expect([readName(typed, 100), isSoundName(typed, 100)]).toEqual([null, false]);
  expect(groupNameFault(typed)).not.toBeNull();
});

test('names have a limit in characters, whatever they are stored as', () => {
  expect([readName('𠮷'.repeat(100), 100), readName('𠮷'.repeat(101), 100)]).toEqual([
    '𠮷'.repeat(100),
    null,
  ]);
  expect(foldName(' '.repeat(100_000) + 'a'.repeat(2))).toBe('aa');
});

const word = () => unique('a').replace('-', '_');
/** Everything else that an admin names, with what makes it. */
const named: Record<string, (name: string) => Promise<unknown>> = {
  'the name of an API': (name) =>
    perform(apiActs.create, { identifier: `https://${word()}.example`, name }, by),
  'the description of an API': (description) =>
    perform(apiActs.create, { identifier: `urn:x:${word()}`, name: 'API', description }, by),
  'the words of a scope of an API': (description) => {
    const scopes = [{ name: word(), description }];
    return perform(apiActs.create, { identifier: `urn:x:${word()}`, name: 'API', scopes }, by);
  },
  'the label of a field': (label) =>
    perform(fieldActs.create, { name: word(), label, type: 'text', editor: 'admin' }, by),
  'the words of a scope': (description) =>
    perform(scopeActs.create, { name: word(), description }, by),
  'the name of a provider': (name) =>
    perform(
      providerActs.create,
      { kind: 'discord', slug: word().replace('_', '-'), client_id: '1', secret: 'd', name },
      by,
    ),
  'the name of this server': (name) => perform(brandingActs.update, { name }, by),
  'a link of the footer': (label) =>
    perform(brandingActs.update, { footer_links: [{ label, href: 'https://example.org/' }] }, by),
  'the name of an API key': (name) =>
    perform(apiKeyActs.create, { name, rights: ['user:read'] }, by),
  'the name of a registration token': (name) => perform(registrationTokenActs.create, { name }, by),
  'the name of a group': (name) => perform(groupActs.create, { name: `${name}${word()}` }, by),
};
/** What may have more than one line. */
const texts: typeof named = {
  'the description of a group': (description) =>
    perform(groupActs.create, { name: word(), description }, by),
  'the description of an app': (description) => newApp({ description }),
  'the note of an invitation': (note) =>
    perform(invitationActs.create, { email: `${unique('guest')}@example.org`, note }, by),
};

test.each(names)('another program gives a name to be shown: $why', ({ typed, kept }) => {
  expect(shownName(typed, 60)).toBe(kept);
  expect(clientOfMetadata({ client_name: typed }, 'none').name).toBe(kept);
});

test('a name that is shown has nothing refused in it, and is cut', () => {
  expect(notNames.map(({ typed }) => shownName(typed, 60))).toEqual([
    'Adagro.live',
    'Adaxy',
    'Ada Bcc',
    'Ada',
    'Ada\ufffd',
    'Ada',
  ]);
  expect(shownName(`${'x'.repeat(50)}ක\u0dca\u200dර`, 53)).toBe(`${'x'.repeat(50)}ක\u0dca\u200d`);
  expect(shownName('𠮷'.repeat(100), 60)).toBe('𠮷'.repeat(60));
});

onEachDatabase(() => {
  describe.each(Object.entries({ ...named, ...texts }))('%s', (what, make) => {
    test.each(names)('can be $why', async ({ kept }) => {
      expect(await outcome(make(kept))).toBe('taken');
    });

    const never = notNames.filter(({ typed }) => what in named || !typed.includes('\n'));
    test.each(never)('is not $why', async ({ typed }) => {
      expect(await outcome(make(typed))).toBe('refused');
    });
  });

  beforeAll(() => set('REGISTRATION', 'open'));

  describe.each(names)('$why', ({ typed, kept }) => {
    test('is the name of a person who is made, changed, invited or comes with an import', async () => {
      const made = await newUser(typed);
      expect(made.name).toBe(kept);
      expect((await perform(userActs.update, { id: made.id, name: typed }, by)).name).toBe(kept);
      const email = `${unique('guest')}@example.org`;
      expect(await outcome(perform(invitationActs.create, { email, name: typed }, by))).toBe(
        'taken',
      );
      const claims = { given_name: typed };
      const come = { email: `${unique('come')}@example.org`, name: typed, claims };
      expect(await planned(come)).toMatchObject({
        coming: [{ name: kept, claims: { given_name: kept } }],
        leftBehind: [],
      });
      expect((await perform(userActs.update, { id: made.id, claims }, by)).claims).toEqual({
        given_name: kept,
      });
    });

    test('is the name of an app', async () => {
      expect((await newApp({ name: kept })).client.name).toBe(kept);
    });
  });

  test.each(notNames)('an import says that it leaves behind $why', async ({ typed }) => {
    const email = `${unique('come')}@example.org`;
    const person = { email, name: typed, claims: { given_name: typed, family_name: 'Ada' } };
    const { coming, leftBehind } = await planned(person);
    expect(coming).toMatchObject([{ name: null, claims: { family_name: 'Ada' } }]);
    expect(leftBehind.map(({ who, why }) => [who, why.key, why.values?.what])).toEqual(
      ['name', 'given_name'].map((what) => [email, 'refused.move.value', what]),
    );
  });

  test.each(notNames)('no person, invitation or app has $why', async ({ typed }) => {
    const email = `${unique('guest')}@example.org`;
    expect(await outcome(newUser(typed))).toBe('refused');
    expect(await outcome(perform(invitationActs.create, { email, name: typed }, by))).toBe(
      'refused',
    );
    expect(await outcome(newApp({ name: typed }))).toBe('refused');
  });
});

test('the doors of a name are those above', () => {
  expect(filesThatUse('personName', 'lib/identity/accounts.ts')).toEqual([
    'lib/identity/directory/follow.ts',
    'lib/identity/upstream/new-account.ts',
    'lib/import/judge-arrivals.ts',
    'lib/management/invitation/invitee.ts',
    'lib/management/user/user-profile.ts',
  ]);
  expect(filesThatUse('isSoundName', 'lib/oauth/name.ts')).toEqual([
    'lib/management/api/api-rules.ts',
    'lib/management/branding/branding.ts',
    'lib/management/client/claim-rules.ts',
    'lib/management/client/client-rules.ts',
    'lib/management/field/user-fields.ts',
    'lib/management/group/groups.ts',
    'lib/management/provider/rules.ts',
    'lib/management/scope/scopes.ts',
    'lib/management/secret-terms.ts',
  ]);
  expect(filesThatUse('readName', 'lib/oauth/name.ts')).toEqual([
    'app/account/security/submit.ts',
    'lib/identity/accounts.ts',
    'lib/oauth/claims.ts',
  ]);
  expect(filesThatUse('isSoundText', 'lib/oauth/name.ts')).toEqual([
    // A note of an admin for other admins.
    'lib/management/batch/batches.ts',
    // tests/world/own-words.test.ts
    'lib/management/branding/words.ts',
    'lib/management/client/client-rules.ts',
    'lib/management/group/groups.ts',
    'lib/management/invitation/invitations.ts',
    'lib/people/user-field.ts',
  ]);
  expect(filesThatUse('shownName', 'lib/oauth/name.ts')).toEqual([
    'app/login/with/come-back.ts',
    'lib/oauth/client-metadata.ts',
  ]);
});

test('everything else that looks for unseen characters is no door of a name', () => {
  const raw = linesWith(/\\[pP]\{C[cfson]?\}/).map((line) => line.split(':')[0]);
  expect([...new Set(raw)]).toEqual([
    // What disguises text on pages and in mails.
    'app/ui/strip-bidi.ts',
    // Text of others in messages and logs.
    'lib/config-file/faults.ts',
    'lib/config-file/say.ts',
    // The sender of mails.
    'lib/config.ts',
    'lib/doctor/finding.ts',
    // Headers.
    'lib/endpoints/proxy/told.ts',
    // Pages and mails.
    'lib/http/pages.ts',
    'lib/mail/test-letter.ts',
    'lib/mail/write.ts',
    // Addresses, digits and claims.
    'lib/oauth/app-address.ts',
    'lib/oauth/facts.ts',
    'lib/oauth/federated-credential.ts',
    'lib/oauth/name.ts',
    'lib/oauth/site.ts',
    // The order of names.
    'lib/people/sort-key.ts',
    'lib/recipes/answers.ts',
    // The ends of values in .env.
    'lib/settings/env-file.ts',
  ]);
});
