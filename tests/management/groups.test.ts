import { describe, expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import {
  createGroup,
  deleteGroup,
  listGroups,
  namedGroups,
  showGroup,
  updateGroup,
} from '#lib/management/group/groups.ts';
import { addMembers, listMembers, removeMembers } from '#lib/management/group/members.ts';
import { deleteUser, userWithId } from '#lib/management/user/users.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { mostGroups, mostGroupsOfPerson } from '#lib/store/groups.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = () => new Date();
const newGroup = (name = unique('group')) => createGroup({ name }, actor, now());
const namesOf = (groups: readonly { name: string }[]) => groups.map(({ name }) => name);
const membersOf = async (id: string) => (await listMembers(id)).rows.map((one) => one.id).sort();
const groupsOf = async (userId: string) => namesOf((await listGroups({ userId })).rows);

onEachDatabase(() => {
  const eventsOf = async (id: string) =>
    (await listAudit({ type: 'group', limit: 500 })).rows
      .filter(({ detail }) => detail.id === id)
      .map(({ type }) => type)
      .reverse();

  describe('a group', () => {
    test('is created, renamed, described and deleted, each with one event', async () => {
      const name = unique('Editors');
      const made = await createGroup({ name, description: ' They write. ' }, actor, now());
      expect(await showGroup(name.toUpperCase())).toEqual({ ...made, description: 'They write.' });
      const other = unique('Writers');
      const changed = await updateGroup(
        made.id,
        { name: other },
        { actor, now: now(), seen: made.updatedAt },
      );
      expect(changed).toMatchObject({ id: made.id, name: other, description: 'They write.' });
      expect(changed.updatedAt > made.updatedAt).toBe(true);
      expect(await updateGroup(made.id, { description: '' }, { actor, now: now() })).toMatchObject({
        description: null,
      });
      expect(await updateGroup(made.id, { name: other }, { actor, now: now() })).toMatchObject({
        name: other,
      });
      await deleteGroup(made.id, actor, now());
      expect(await faultsOf(showGroup(made.id))).toHaveProperty('group');
      expect(await eventsOf(made.id)).toEqual([
        'group.created',
        'group.updated',
        'group.updated',
        'group.deleted',
      ]);
      const [, renamed] = (await listAudit({ type: 'group.updated' })).rows;
      expect(renamed?.detail).toMatchObject({ name: other, formerName: name });
    });

    test('has a unique name regardless of case and Unicode normalization', async () => {
      const word = unique('ﬁrst');
      const made = await newGroup(word);
      for (const same of [word, word.toUpperCase(), word.normalize('NFKC')])
        expect(await faultsOf(newGroup(same))).toHaveProperty('name');
      const other = await newGroup();
      expect(
        await faultsOf(updateGroup(other.id, { name: word }, { actor, now: now() })),
      ).toHaveProperty('name');
      expect(
        await updateGroup(made.id, { name: word.toUpperCase() }, { actor, now: now() }),
      ).toMatchObject({
        name: word.toUpperCase(),
      });
    });

    test('refuses a name that apps could misread, and says why', async () => {
      const faultOf = async (name: string) => (await faultsOf(newGroup(name))).name;
      expect(await faultOf('admins, editors')).toContain('comma');
      for (const name of [' a', 'a ', '\u3000a', '\u00a0'])
        expect(await faultOf(name)).toContain('space');
      for (const name of [
        '',
        'x'.repeat(101),
        'a\nb',
        'a\0b',
        'a\u202eb',
        '\ud800',
        'ﷺ'.repeat(100),
      ])
        expect(await faultOf(name)).toContain('1 to 100 characters');
      for (const name of [
        'x'.repeat(89),
        'a;b',
        'a b',
        '💡',
        'Ω',
        '%_\\',
        "'; DROP TABLE users --",
      ])
        expect(await newGroup(unique(name))).toMatchObject({});
      expect(
        await faultsOf(createGroup({ name: 'g', description: 'x'.repeat(501) }, actor, now())),
      ).toHaveProperty('description');
    });

    test('that was changed meanwhile is not overwritten', async () => {
      const group = await newGroup();
      const seen = group.updatedAt;
      const results = await Promise.allSettled(
        [1, 2, 3, 4].map((index) =>
          updateGroup(group.id, { name: `${group.name} ${index}` }, { actor, now: now(), seen }),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(
        await faultsOf(updateGroup(group.id, { description: 'x' }, { actor, now: now(), seen })),
      ).toHaveProperty('seen');
    });

    test('whose name is another group’s id makes that text ambiguous until one is renamed', async () => {
      const one = await newGroup();
      const other = await newGroup(one.id);
      expect((await faultsOf(showGroup(one.id))).group).toContain('Rename that one first');
      expect(other.name).toBe(one.id);
    });

    test('can be created up to a limit of ten thousand groups', async () => {
      const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mostGroups - 1})
        INSERT INTO user_groups (id, name, name_key, created_at, updated_at)
        SELECT 'filled-' || i, 'filled-' || i, 'filled-' || i, CAST($1 AS TIMESTAMPTZ), CAST($1 AS TIMESTAMPTZ) FROM n`;
      await write('DELETE FROM user_groups', []);
      await write(many, [now()]);
      const made = await Promise.allSettled(Array.from({ length: 8 }, () => newGroup()));
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await faultsOf(newGroup()))['']).toContain('10,000');
      await write("DELETE FROM user_groups WHERE id LIKE 'filled-%'", []);
    });

    test('that is deleted takes its memberships and its access to apps with it, and caches are invalidated', async () => {
      const group = await newGroup();
      const kept = await newGroup();
      const ada = await newPerson();
      const bob = await newPerson();
      const { client } = await newApp();
      await addMembers(group.id, [ada.id, bob.id], actor, now());
      await addMembers(kept.id, [ada.id], actor, now());
      const sql = 'INSERT INTO client_groups (client_id, group_id, created_at) VALUES ($1, $2, $3)';
      await write(sql, [client.id, group.id, now()]);
      const revision = await readRevision();
      expect(await deleteGroup(group.id, actor, now())).toMatchObject({ members: 2, apps: 1 });
      expect(await readRevision()).not.toBe(revision);
      expect(await groupsOf(ada.id)).toEqual([kept.name]);
      expect(
        await read('SELECT 1 AS one FROM client_groups WHERE client_id = $1', [client.id]),
      ).toEqual([]);
    });
  });

  describe('members of a group', () => {
    test('are added and removed by id, username or email; repeating it is harmless and reported', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      const bob = await newPerson();
      expect(await addMembers(group.id, [ada.username, bob.email, ada.id], actor, now())).toEqual({
        done: [ada.id, bob.id],
        already: [],
      });
      expect(await addMembers(group.id, [ada.id], actor, now())).toEqual({
        done: [],
        already: [ada.id],
      });
      expect(await membersOf(group.id)).toEqual([ada.id, bob.id].sort());
      const removed = { done: [ada.id], already: [] };
      expect(await removeMembers(group.id, [ada.email], actor, now())).toEqual(removed);
      expect(await removeMembers(group.id, [ada.id], actor, now())).toEqual({
        done: [],
        already: [ada.id],
      });
      expect(await membersOf(group.id)).toEqual([bob.id]);
      expect(await eventsOf(group.id)).toEqual([
        'group.created',
        'group.member-added',
        'group.member-added',
        'group.member-removed',
      ]);
    });

    test('are not added if one of them is unknown, and the refusal names that one', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      const refused = faultsOf(addMembers(group.id, [ada.id, 'nobody-here', 'x\0'], actor, now()));
      expect((await refused).person).toContain('“nobody-here”');
      expect(await membersOf(group.id)).toEqual([]);
      for (const people of [[], [' '], Array.from({ length: 501 }, (_, index) => `p${index}`)])
        expect(await faultsOf(addMembers(group.id, people, actor, now()))).toHaveProperty('person');
      for (const id of ['', '\0', group.name])
        expect(await faultsOf(addMembers(id, [ada.id], actor, now()))).toHaveProperty('group');
    });

    test('are marked as changed when added or removed, so that cached data about them is invalid', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      const changed = async () => (await userWithId(ada.id)).updatedAt;
      const at = now();
      await addMembers(group.id, [ada.id], actor, at);
      const added = await changed();
      expect(added > ada.updatedAt).toBe(true);
      await addMembers(group.id, [ada.id], actor, at);
      expect(await changed()).toEqual(added);
      await removeMembers(group.id, [ada.id], actor, at);
      expect((await changed()) > added).toBe(true);
    });

    test('are removed when their account is deleted', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      await addMembers(group.id, [ada.id], actor, now());
      await deleteUser(ada.id, actor, now());
      expect(await membersOf(group.id)).toEqual([]);
      expect(await faultsOf(removeMembers(group.id, [ada.id], actor, now()))).toHaveProperty(
        'person',
      );
    });

    test('are found by the beginning of their username, email or name, and read in pages', async () => {
      const group = await newGroup();
      const other = await newGroup();
      const word = unique('found');
      const people = [];
      for (let index = 0; index < 5; index += 1)
        people.push(await newPerson({ name: `Ada ${word}${index}` }));
      const ids = people.map(({ id }) => id);
      await addMembers(group.id, ids, actor, now());
      await addMembers(other.id, ids.slice(0, 1), actor, now());
      const found = async (search: string, of = group) =>
        (await listMembers(of.id, { search })).rows.map(({ id }) => id);
      expect(await found(word)).toHaveLength(5);
      expect(await found(`${word}3`.toUpperCase())).toEqual([ids[3]]);
      expect(await found(people[2]?.email ?? '')).toEqual([ids[2]]);
      expect(await found(people[2]?.email ?? '', other)).toEqual([]);
      for (const text of ['\0', '%', '_', '\ud800']) expect(await found(`x${text}`)).toEqual([]);
      const first = await listMembers(group.id, { limit: 3 });
      const second = await listMembers(group.id, { limit: 3, cursor: first.next ?? '' });
      expect([first.total.count, first.rows.length, second.rows.length]).toEqual([5, 3, 2]);
      expect(await faultsOf(listMembers(group.id, { cursor: 'x' }))).toHaveProperty('cursor');
    });

    test('of a large group are found in the same way', async () => {
      const group = await newGroup();
      const word = unique('large');
      const fill = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
        INSERT INTO users (id, username, username_key, email, email_key, claims, epoch, created_at, updated_at)
        SELECT $1 || i, $1 || i, $1 || i, $1 || i || '@example.org', $1 || i || '@example.org', '{}', 0,
          CAST($2 AS TIMESTAMPTZ), CAST($2 AS TIMESTAMPTZ) FROM n`;
      await write(fill, [word, now()]);
      await write(
        `INSERT INTO group_members (group_id, user_id, created_at)
         SELECT $1, id, CAST($3 AS TIMESTAMPTZ) FROM users WHERE username_key LIKE $2`,
        [group.id, `${word}%`, now()],
      );
      const outsider = await newPerson({ username: `${word}9999` });
      const { rows, total } = await listMembers(group.id, { search: `${word}1999` });
      expect([rows.map(({ id }) => id), total.count]).toEqual([[`${word}1999`], 1]);
      expect((await listMembers(group.id, { search: outsider.username })).rows).toEqual([]);
      expect((await listMembers(group.id)).total.count).toBe(2100);
    });
  });

  test('a user is in at most a thousand groups, also when several additions happen at the same time', async () => {
    const ada = await newPerson();
    const word = unique('bound');
    const fill = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mostGroupsOfPerson - 1})
      INSERT INTO user_groups (id, name, name_key, created_at, updated_at)
      SELECT $1 || i, $1 || i, $1 || i, CAST($2 AS TIMESTAMPTZ), CAST($2 AS TIMESTAMPTZ) FROM n`;
    await write(fill, [word, now()]);
    await write(
      `INSERT INTO group_members (group_id, user_id, created_at)
       SELECT id, $2, CAST($3 AS TIMESTAMPTZ) FROM user_groups WHERE id LIKE $1`,
      [`${word}%`, ada.id, now()],
    );
    const groups = await Promise.all(Array.from({ length: 6 }, () => newGroup()));
    const tried = await Promise.allSettled(
      groups.map(({ id }) => addMembers(id, [ada.id], actor, now())),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const said = tried.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(said.every((reason) => reason.includes('1,000 groups'))).toBe(true);
    expect((await listGroups({ userId: ada.id })).total.count).toBe(mostGroupsOfPerson);
    await write('DELETE FROM user_groups WHERE id LIKE $1', [`${word}%`]);
  });

  describe('group changes at the same moment', () => {
    test('if many add or remove the same member, only one does, with one audit event', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      const each = (work: typeof addMembers) =>
        Promise.all(Array.from({ length: 12 }, () => work(group.id, [ada.id], actor, now())));
      expect((await each(addMembers)).filter(({ done }) => done.length > 0)).toHaveLength(1);
      expect((await each(removeMembers)).filter(({ done }) => done.length > 0)).toHaveLength(1);
      expect((await eventsOf(group.id)).slice(1)).toEqual([
        'group.member-added',
        'group.member-removed',
      ]);
    });

    test('adding and removing a member many times ends in the state that the audit events say', async () => {
      const group = await newGroup();
      const ada = await newPerson();
      await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 ? addMembers : removeMembers)(group.id, [ada.id], actor, now()),
        ),
      );
      const events = await read<{ type: string }>(
        "SELECT type FROM audit_events WHERE user_id = $1 AND type LIKE 'group.member-%'",
        [ada.id],
      );
      const added = events.filter(({ type }) => type === 'group.member-added').length;
      expect(await membersOf(group.id)).toEqual(added * 2 > events.length ? [ada.id] : []);
      expect([0, 1]).toContain(added * 2 - events.length);
    });

    test('a user added to a group while it is deleted is in no group', async () => {
      for (let round = 0; round < 5; round += 1) {
        const group = await newGroup();
        const people = await Promise.all(Array.from({ length: 6 }, () => newPerson()));
        const [gone, ...added] = await Promise.allSettled([
          deleteGroup(group.id, actor, now()),
          ...people.map(({ id }) => addMembers(group.id, [id], actor, now())),
          ...people.map(({ id }) => removeMembers(group.id, [id], actor, now())),
        ]);
        expect(gone?.status).toBe('fulfilled');
        for (const one of added)
          if (one.status === 'rejected') expect(one.reason).toHaveProperty('name', 'AdminRefusal');
        for (const { id } of people) expect(await groupsOf(id)).toEqual([]);
      }
    });

    test('a user added to a group while the user is deleted is not a member', async () => {
      const group = await newGroup();
      const people = await Promise.all(Array.from({ length: 6 }, () => newPerson()));
      const results = await Promise.allSettled(
        people.flatMap(({ id }) => [
          addMembers(group.id, [id], actor, now()),
          deleteUser(id, actor, now()),
        ]),
      );
      for (const one of results)
        if (one.status === 'rejected') expect(one.reason).toHaveProperty('name', 'AdminRefusal');
      expect(await membersOf(group.id)).toEqual([]);
    });
  });

  describe('the list of groups', () => {
    test('has the number of members and apps of each, sorted by name or newest first, filtered and in pages', async () => {
      const word = unique('list');
      const b = await newGroup(`${word} B`);
      const a = await newGroup(`${word} a`);
      const ada = await newPerson();
      await addMembers(a.id, [ada.id], actor, now());
      const byName = await listGroups({ search: word.toUpperCase() });
      expect(byName.rows.map(({ name, facts }) => [name, facts.members.count, facts.apps])).toEqual(
        [
          [a.name, 1, 0],
          [b.name, 0, 0],
        ],
      );
      const found = async (filter: Parameters<typeof listGroups>[0]) =>
        namesOf((await listGroups({ search: word, ...filter })).rows);
      expect(await found({ empty: true })).toEqual([b.name]);
      expect(await found({ empty: false })).toEqual([a.name]);
      expect(await found({ userId: ada.id })).toEqual([a.name]);
      expect(await found({ sort: 'newest' })).toEqual([a.name, b.name]);
      const first = await listGroups({ search: word, limit: 1 });
      expect([first.total.count, namesOf(first.rows)]).toEqual([2, [a.name]]);
      expect(await found({ cursor: first.next ?? '' })).toEqual([b.name]);
      for (const search of ['\0', '%', '\ud800', 'x'.repeat(5000)])
        expect(namesOf((await listGroups({ search: `${word}${search}` })).rows)).toEqual([]);
      expect(await faultsOf(listGroups({ cursor: 'x' }))).toHaveProperty('cursor');
    });

    test('finds groups by name or id, each once', async () => {
      const one = await newGroup();
      const other = await newGroup();
      expect(await namedGroups([one.name, ` ${other.id} `, one.id, ''])).toEqual([one, other]);
      expect((await faultsOf(namedGroups([one.name, 'nothing']))).groups).toContain('“nothing”');
    });
  });
});
