import { beforeAll, describe, expect, test } from 'vitest';
import { finishRegistration, openAccountLink } from '#lib/identity/registration.ts';
import { importActs } from '#lib/import/acts.ts';
import { decodeList } from '#lib/import/decode.ts';
import { readLines } from '#lib/import/lines.ts';
import { readOutbox } from '#lib/mail/outbox.ts';
import { mails } from '#lib/mail/post.ts';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { pendingOf, showBatch } from '#lib/management/batch/batches.ts';
import { batches } from '#lib/management/batch/run.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup, groupsOf } from '#lib/management/group/groups.ts';
import {
  invite,
  listInvitations,
  resendInvitation,
} from '#lib/management/invitation/invitations.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { ownFieldsOf } from '#lib/management/user/field-values.ts';
import { setRole, userWithId } from '#lib/management/user/users.ts';
import type { Role } from '#lib/people/roles.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { write } from '#lib/store/engine/database.ts';
import { mostDrafts } from '#lib/store/import-drafts.ts';
import { findLinkById } from '#lib/store/links.ts';
import { actor, faultsOf, newPerson, password, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const by = (role: Role = 'admin', id = 'cli'): By => ({
  ...actingAs(role, { ...actor, id }),
  now: new Date(),
  demandFresh: () => {},
});
const read = (list: string, as = by()) => perform(importActs.read, { list }, as);
const start = (id: string, more = {}, as = by()) => perform(importActs.start, { id, ...more }, as);
const done = async (id: string) => {
  for (;;) {
    await batches.work(new Date(Date.now() + 60_000));
    const told = await perform(batchActs.show, { id }, by());
    if (told.finished_at) return told;
  }
};
const cellsOf = (text: string) => readLines(text).lines.map(({ cells }) => cells);
const fault = async (text: string) =>
  Object.values(await faultsOf((async () => readLines(text))())).join(' ');

describe('a list of people to invite is read', () => {
  test.each([
    [
      'one a line',
      'a@x.org\nb@x.org\r\n\n',
      [
        ['a@x.org', ''],
        ['b@x.org', ''],
      ],
    ],
    [
      'between commas',
      'a@x.org, b@x.org;c@x.org',
      [
        ['a@x.org', ''],
        ['b@x.org', ''],
        ['c@x.org', ''],
      ],
    ],
    [
      'with names',
      'Ada L <a@x.org>, "B" <b@x.org>',
      [
        ['a@x.org', 'Ada L'],
        ['b@x.org', 'B'],
      ],
    ],
    [
      'with names that begin with the last one, as mail programs copy them',
      'Lovelace, Ada <a@x.org>; Bo <b@x.org>, "Hopper, Grace" <c@x.org>; d@x.org',
      [
        ['a@x.org', 'Ada Lovelace'],
        ['b@x.org', 'Bo'],
        ['c@x.org', 'Grace Hopper'],
        ['d@x.org', ''],
      ],
    ],
    [
      'one a line, of which one has two',
      'Ada L <a@x.org>\nb@x.org\nc@x.org; d@x.org\nLovelace, Bo <e@x.org>\n',
      [
        ['a@x.org', 'Ada L'],
        ['b@x.org', ''],
        ['c@x.org', ''],
        ['d@x.org', ''],
        ['e@x.org', 'Bo Lovelace'],
      ],
    ],
    [
      'with a name and no head',
      'Ada,a@x.org\nBo,b@x.org\n',
      [
        ['Ada', 'a@x.org'],
        ['Bo', 'b@x.org'],
      ],
    ],
    ['as CSV', '\uFEFFemail,name\na@x.org,"L, Ada"\n', [['a@x.org', 'L, Ada']]],
    ['with semicolons', 'Name;E-Mail\nAda;a@x.org\n', [['Ada', 'a@x.org']]],
    [
      'with tabs and no head',
      'a@x.org\tAda\nb@x.org\tBo\n',
      [
        ['a@x.org', 'Ada'],
        ['b@x.org', 'Bo'],
      ],
    ],
  ])('%s', (_, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  test.each([
    ['of nothing', ' \n\n', /no one/],
    ['of only a head', 'email,name\n', /no one/],
    ['with an open quote', 'email,name\na@x.org,"Ada\nb@x.org,Bo\n', /quote/],
    ['with a quote inside of a cell', 'email,name\na@x.org,A"d"a\n', /quote/],
    [
      'with a cell of a megabyte',
      `email,name\na@x.org,${'x'.repeat(900_000)}\n`,
      /Line 2 is too long/,
    ],
    ['of a million commas', ','.repeat(999_999), /too long/],
    ['longer than a million characters', 'a'.repeat(1_000_001), /million/],
    ['with NUL', 'email\0,name\n', /not text/],
    ['of more than 50 columns', `email${',x'.repeat(50)}\na@x.org\n`, /columns/],
    ['of more than 10,000', 'a@x.org\n'.repeat(10_001), /10,000/],
  ])('but not one %s', async (_, text, words) => {
    expect(await fault(text)).toMatch(words);
  });

  test('from UTF-8, UTF-16 and Windows-1252, but not from binary data', () => {
    const text = 'email;name\na@x.org;Zoë\n';
    const little = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
    const big = Uint8Array.from(little);
    for (let at = 0; at < big.length; at += 2)
      [big[at], big[at + 1]] = [little[at + 1] ?? 0, little[at] ?? 0];
    for (const bytes of [Buffer.from(text), little, big, Buffer.from(text, 'latin1')])
      expect(cellsOf(decodeList(bytes))).toEqual([['a@x.org', 'Zoë']]);
    expect(() => readLines(decodeList(Buffer.from('PK\x03\x04\0\0\xff', 'latin1')))).toThrow(
      'not text',
    );
  });
});

onEachDatabase(() => {
  // Batches that are started here are only worked on where a test says so.
  beforeAll(leaveQueuesToServer);

  describe('people of an imported list', () => {
    const open = () => setSetting('registration', 'invitation', actor, new Date());

    test('are limited to a number of drafts per user, so that no user takes the room of others', async () => {
      await open();
      const helper = by('support', unique('helper'));
      const readOne = (as: By) => read(`${unique('new')}@example.org`, as);
      for (let count = 0; count < mostDrafts; count += 1) await readOne(helper);
      expect(Object.values(await faultsOf(readOne(helper))).join()).toContain('open list');
      expect(await readOne(by('support', unique('helper')))).toMatchObject({ invite: 1 });
      expect(await readOne(by())).toMatchObject({ invite: 1 });
    });

    test('are classified before any invitation: to invite, existing, already invited, or wrong with a reason', async () => {
      await open();
      const here = await newPerson();
      const waiting = `${unique('waiting')}@example.org`;
      await invite(waiting, actor, new Date());
      const fresh = `${unique('new')}@example.org`;
      const rows = [
        'Email,Full name,Login,Language,Groups,Shoe size',
        `${fresh},Ada Lovelace,ada,de,,`,
        `${here.email.toUpperCase()},,,,,`,
        `${waiting},,,,,`,
        `${fresh},again,,,,`,
        'no-address,,,,,',
        'x1@example.org,=HYPERLINK("x"),,,,'.replace(/"/g, ''),
        'x2@example.org,,a b,,,',
        'x3@example.org,,,not a language,,',
        'x4@example.org,,,,nothing,',
        'x5@example.org,,,,,,,extra',
        ',Nobody,,,,',
      ];
      const told = await read(rows.join('\n'));
      expect(told).toMatchObject({ invite: 1, here: 1, invited: 1, wrong: 8 });
      expect(told.columns).toEqual(['email', 'name', 'username', 'language', 'groups', 'skip']);
      expect(told.wrong_lines.map(({ line, why }) => [line, why])).toEqual([
        [5, expect.stringMatching(/line 2 already/)],
        [6, expect.stringMatching(/not an email address/)],
        [7, expect.stringMatching(/in a name/)],
        [8, expect.stringMatching(/in a username/)],
        [9, expect.stringMatching(/language tag/)],
        [10, expect.stringMatching(/no group/)],
        [11, expect.stringMatching(/more cells/)],
        [12, expect.stringMatching(/no email address/)],
      ]);
      expect(await faultsOf(start(told.id))).toHaveProperty('leave_out_wrong');
      expect((await listInvitations(new Date())).some(({ email }) => email === fresh)).toBe(false);
      const begun = await start(told.id, { leave_out_wrong: true });
      expect(await done(begun.id)).toMatchObject({ operation: 'invite', total: 1, done: 1 });
      expect((await listInvitations(new Date())).some(({ email }) => email === fresh)).toBe(true);
      expect(await faultsOf(start(told.id, { leave_out_wrong: true }))).toHaveProperty('import');
    });

    test('get the list’s data in their new account, and a mail that says who invites them and why', async () => {
      await open();
      const field = unique('size').replace('-', '_');
      await createField({ name: field, label: field, scope: 'profile' }, actor, new Date());
      const group = await createGroup({ name: unique('choir') }, actor, new Date());
      const boss = await newPerson({ admin: true, name: 'Grace Hopper' });
      const word = unique('kim');
      const told = await read(
        `mail;vorname;nachname;user;lang;${field}\n${word}@example.org;Kim;Li;${word};de;42\n`,
        by('admin', boss.id),
      );
      expect(told.columns).toEqual([
        'email',
        'given_name',
        'family_name',
        'username',
        'language',
        `field.${field}`,
      ]);
      const begun = await start(
        told.id,
        { groups: [group.name], note: 'the spring concert' },
        by('admin', boss.id),
      );
      expect(await done(begun.id)).toMatchObject({ done: 1 });
      for (let round = 0; round < 20; round += 1) await mails.work();
      const sheet = (await readOutbox(new Date())).find(
        (one) => one.sheet.to === `${word}@example.org`,
      )?.sheet;
      expect(sheet?.locale).toBe('de');
      expect(sheet?.paragraphs.join('\n')).toMatch(/Grace Hopper.*\n.*the spring concert/);
      const token = new URL(sheet?.action?.href ?? '').searchParams.get('token') ?? '';
      const link = await openAccountLink(token, new Date());
      expect(link?.invitee).toMatchObject({ name: 'Kim Li', username: word });
      const input = { username: word, name: 'Kim Li', password };
      const request = { address: '192.0.2.9', id: 'request' } as never;
      const made = link && (await finishRegistration(link, input, request, new Date()));
      const id = made !== null && typeof made === 'object' && 'id' in made ? made.id : '';
      expect((await userWithId(id)).claims).toEqual({ locale: 'de' });
      expect((await ownFieldsOf(id)).find(({ name }) => name === field)?.value).toBe('42');
      expect((await groupsOf(id)).map(({ name }) => name)).toEqual([group.name]);
    });

    test('read the language that is said for all, unless their line names one', async () => {
      await open();
      const word = unique('tongue');
      const told = await read(`email,language\n${word}1@example.org,en\n${word}2@example.org,\n`);
      expect(await faultsOf(start(told.id, { language: 'not a language' }))).toHaveProperty(
        'language',
      );
      expect(await faultsOf(start(told.id, { groups: [unique('nobody')] }))).toHaveProperty(
        'groups',
      );
      const begun = await start(told.id, { language: 'de' });
      await done(begun.id);
      const pending = await pendingOf(await showBatch(begun.id, by()), new Date());
      const links = await Promise.all(pending.map((id) => findLinkById(id, 'invite', new Date())));
      expect(links.map((link) => [link?.email, link?.invitee.locale]).sort()).toEqual([
        [`${word}1@example.org`, 'en'],
        [`${word}2@example.org`, 'de'],
      ]);
    });

    test('keep the data of the list when they are invited again', async () => {
      await open();
      const email = `${unique('again')}@example.org`;
      const first = await invite(email, actor, new Date(), [], { name: 'Ada' });
      const again = await resendInvitation(first.id, by());
      const token = (link: string) => new URL(link).searchParams.get('token') ?? '';
      expect(await openAccountLink(token(first.link), new Date())).toBeNull();
      expect((await openAccountLink(token(again.link), new Date()))?.invitee).toEqual({
        name: 'Ada',
      });
    });

    test('with groups or fields from an admin cannot be invited again by the support role', async () => {
      await open();
      const group = await createGroup({ name: unique('Again') }, actor, new Date());
      const field = unique('again').replace('-', '_');
      const asked = { name: field, label: 'Again', type: 'text', scope: 'profile' } as const;
      await createField(asked, actor, new Date());
      const helper = by('support', unique('helper'));
      const again = async (groups: string[], fields: Record<string, string[]>) => {
        const email = `${unique('given')}@example.org`;
        const { id } = await invite(email, actor, new Date(), groups, { fields });
        const faults = await faultsOf(resendInvitation(id, helper));
        // The first invitation is still valid.
        expect((await listInvitations(new Date())).map((one) => one.id)).toContain(id);
        return faults;
      };
      expect(await again([group.name], {})).toEqual({
        groups: 'Only an admin can put people into groups.',
      });
      expect(await again([], { [field]: ['42'] })).toEqual({
        fields: 'Only an admin can fill in these fields.',
      });
    });

    test('are invited only as fast as the mail queue empties', async () => {
      await open();
      const told = await read(`${unique('slow')}@example.org`);
      const begun = await start(told.id);
      const far = new Date(Date.now() + 3600_000);
      const sql = `INSERT INTO outgoing_mails (id, sealed, attempts, next_at, expires_at, created_at) VALUES ($1, '', 0, $2, $2, $2)`;
      for (let count = 0; count < 100; count += 1) await write(sql, [`full-${count}`, far]);
      const soon = new Date();
      await batches.work(soon);
      expect(await perform(batchActs.show, { id: begun.id }, by())).toMatchObject({
        waiting: 1,
        done: 0,
      });
      await write("DELETE FROM outgoing_mails WHERE id LIKE 'full-%'", []);
      expect(await done(begun.id)).toMatchObject({ done: 1 });
    });

    test('can be seen only by the helper who read the list, and a helper cannot assign groups', async () => {
      await open();
      const one = await newPerson();
      const other = await newPerson();
      for (const { id } of [one, other]) await setRole(id, 'support', actor, new Date());
      const group = await createGroup({ name: unique('group') }, actor, new Date());
      const told = await read(
        `email,groups\n${unique('x')}@example.org,${group.name}\n`,
        by('support', one.id),
      );
      expect(told).toMatchObject({ invite: 0, wrong: 1 });
      const show = (as: By) => perform(importActs.show, { id: told.id }, as);
      expect(await faultsOf(show(by('support', other.id)))).toHaveProperty('import');
      expect(await show(by('support', one.id))).toMatchObject({ wrong: 1 });
    });

    test('are refused where two columns are the same or unknown, and read whatever strangers may do', async () => {
      await open();
      const told = await read('email,name\na@example.org,Ada\n');
      const columns = (said: string[]) =>
        faultsOf(perform(importActs.show, { id: told.id, columns: said }, by()));
      expect(await columns(['email', 'email'])).toHaveProperty('columns');
      expect(await columns(['email', 'password'])).toHaveProperty('columns');
      await setSetting('registration', 'off', actor, new Date());
      expect(await read('a@example.org')).toHaveProperty('id');
      await open();
    });

    test('are kept as drafts for a day, up to a limit of 20 lists', async () => {
      await open();
      await write('DELETE FROM import_drafts', []);
      const { id } = await read('a@example.org');
      for (let count = 1; count < 20; count += 1) await read('a@example.org');
      expect(await faultsOf(read('a@example.org'))).toEqual({
        '': expect.stringMatching(/20 open lists/),
      });
      await deleteExpired(new Date(Date.now() + 25 * 3600_000));
      expect(await faultsOf(perform(importActs.show, { id }, by()))).toHaveProperty('import');
    });
  });
});
