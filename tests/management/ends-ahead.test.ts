import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { compose } from '#lib/mail/compose.ts';
import { type Letter, sealedLetter } from '#lib/mail/letter.ts';
import { tellOfEnds } from '#lib/management/alert/ends.ts';
import { createApiKey } from '#lib/management/api-key/keys.ts';
import { allow } from '#lib/management/client/access.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembersUntil } from '#lib/management/group/members.ts';
import { disableUser, setEnd } from '#lib/management/user/users.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { forChange } from '../lanes.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { actor, newApp, newPerson, unique } from './people.ts';

const now = new Date();
const day = 24 * 3600_000;
const inDays = (days: number) => new Date(now.getTime() + days * day);

/** The mails that wait, and then no more. */
async function lettersTaken(): Promise<Letter[]> {
  const rows = await read<{ sealed: string }>(
    'SELECT sealed FROM outgoing_mails WHERE shown_at IS NULL ORDER BY id',
    {},
  );
  await write('DELETE FROM outgoing_mails', {});
  const letters = await Promise.all(rows.map(({ sealed }) => sealedLetter.open(sealed)));
  return letters.filter((letter) => letter !== null);
}

const saidTo = (letters: readonly Letter[], userId: string) =>
  letters.flatMap((letter) =>
    letter.kind === 'notice' && letter.userId === userId
      ? [`${letter.notice} ${letter.values.what ?? letter.values.people}`]
      : [],
  );

/** A person whose account, membership and place on a list all end at a moment. */
async function newContractor(end: Date, locale = 'en') {
  const person = await newUser({ claims: { locale } });
  const group = await createGroup({ name: unique('group') }, actor, now);
  const { client: app } = await newApp();
  await addMembersUntil(group.id, { people: [person.id], endsAt: end }, actor, now);
  await allow(app.id, { groups: [], people: [person.id], endsAt: end }, actor, now);
  await setEnd(person.id, end, actor, now);
  return { person, group, app };
}

const all = ['ends-soon account', 'ends-soon app', 'ends-soon group'];

onEachDatabase(() => {
  beforeAll(() => leaveQueuesToServer());
  beforeEach(async () => {
    await write('DELETE FROM outgoing_mails', {});
    await write("DELETE FROM leases WHERE name LIKE 'alert:%'", {});
    await write('UPDATE users SET is_admin = FALSE, ends_at = NULL', {});
    await write('DELETE FROM client_users', {});
    await write('DELETE FROM group_members', {});
  });

  test('a week before the end, once, and again if the date changes', async () => {
    const { person } = await newContractor(inDays(20));
    await tellOfEnds(inDays(12.9));
    expect(saidTo(await lettersTaken(), person.id)).toEqual([]);
    await Promise.all([tellOfEnds(inDays(13)), tellOfEnds(inDays(13))]);
    expect(saidTo(await lettersTaken(), person.id).sort()).toEqual(all);
    await tellOfEnds(inDays(14));
    expect(saidTo(await lettersTaken(), person.id)).toEqual([]);
    await setEnd(person.id, inDays(18), actor, inDays(14));
    await tellOfEnds(inDays(14));
    expect(saidTo(await lettersTaken(), person.id)).toEqual(['ends-soon account']);
  });

  test('someone whose account is disabled is not told', async () => {
    const { person } = await newContractor(inDays(5));
    await disableUser(person.id, actor, now);
    await tellOfEnds(now);
    expect(saidTo(await lettersTaken(), person.id)).toEqual([]);
  });

  test('contacts of the app are told of others’ places in one mail', async () => {
    const contact = await newPerson();
    const one = await newPerson();
    const two = await newPerson();
    const { client: app } = await newApp();
    await addContact(app.id, contact.username, actor, now);
    const people = [contact.id, one.id, two.id];
    await allow(app.id, { groups: [], people, endsAt: inDays(3) }, actor, now);
    await tellOfEnds(now);
    const said = saidTo(await lettersTaken(), contact.id);
    expect(said).toHaveLength(2);
    expect(said).toContain('ends-soon app');
    const [, ...named] = (said.find((each) => each.startsWith('places')) ?? '').split(/,? /);
    expect(named.sort()).toEqual([one.username, two.username].sort());
  });

  test('admins are told once a day of all of it, and of API keys', async () => {
    const admin = await newUser({ isAdmin: true });
    const { person, group } = await newContractor(inDays(5));
    const key = await createApiKey(
      { name: unique('key'), rights: ['user:read'], for: '10 days' },
      actor,
      now,
    );
    const alertsAt = async (at: Date) => {
      await tellOfEnds(at);
      return (await lettersTaken()).flatMap((letter) =>
        letter.kind === 'alert' && letter.userId === admin.id ? [String(letter.values.names)] : [],
      );
    };
    const [first] = await alertsAt(now);
    expect(first).toContain(`${person.username} → ${group.name}`);
    expect(first).not.toContain(key.name);
    expect(await alertsAt(inDays(0.5))).toEqual([]);
    expect(await alertsAt(inDays(4))).toEqual([`API: ${key.name}`]);
    expect(await alertsAt(inDays(5.1))).toEqual([]);
  });

  test('each mail says in the person’s language what ends, and when', async () => {
    const { group } = await newContractor(inDays(5), 'de');
    await tellOfEnds(now);
    const sheets = await Promise.all(
      (await lettersTaken()).map((letter) => compose(letter, false, now)),
    );
    const said = JSON.stringify(sheets);
    expect(said).toContain(`Ihre Mitgliedschaft in ${group.name} endet bald`);
    expect(said).toContain('Ihr Konto bei');
    expect(said).not.toMatch(/[{}]what|undefined/);
  });

  test('several processes, killed anywhere, queue each mail exactly once', {
    timeout: 120_000,
  }, async () => {
    const many = [];
    for (let one = 0; one < 25; one += 1) many.push(await newContractor(inDays(5)));
    for (const delay of forChange ? [5, 40] : [0, 5, 15, 40]) {
      const children = [1, 2].map(() =>
        fork(new URL('../support/tell-ends.ts', import.meta.url), [String(now.getTime())], {
          env: process.env,
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        }),
      );
      await Promise.all(children.map((child) => once(child, 'message')));
      await after(delay);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    }
    await Promise.all([tellOfEnds(now), tellOfEnds(now)]);
    const letters = await lettersTaken();
    for (const { person } of many) expect(saidTo(letters, person.id).sort()).toEqual(all);
  });
});
