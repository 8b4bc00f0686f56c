import { beforeAll, beforeEach, expect, test } from 'vitest';
import { signIn } from '#lib/identity/sign-in.ts';
import type { JudgedArrivals } from '#lib/import/judge-arrivals.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { type Format, formats } from '#lib/import/names.ts';
import { createGroup, groupsOf } from '#lib/management/group/groups.ts';
import { createUser, showUser } from '#lib/management/user/users.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { firebase, originalPassword, originals } from '../identity/hashes/originals.ts';
import { actor, password } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { files, hashParameters } from './files.ts';
import { peopleOf } from './realm.ts';

const now = () => new Date();
const by = () => ({ actor, now: now() });
const move = (from: Format, text: string, more: { leaveOut?: boolean; dry?: boolean } = {}) => {
  const arrivals = readArrivals({
    from,
    text,
    secret: from === 'firebase' ? hashParameters : undefined,
  });
  const { leaveOut = false, dry = false } = more;
  return moveIn(arrivals, from, { leaveOut, agreed: () => !dry }, by());
};
const json = (...people: object[]) => JSON.stringify({ people });
const names = (list: { who: string }[]) => list.map(({ who }) => who);
const enter = (login: string, word: string) => {
  const request = {
    id: 'r',
    method: 'POST',
    path: '/',
    query: '',
    address: '192.0.2.1',
    header: () => undefined,
  };
  return signIn(
    request as unknown as Parameters<typeof signIn>[0],
    { login, password: word },
    now(),
  );
};

onEachDatabase(() => {
  beforeAll(() => {
    process.env.BCRYPT_COST = '4';
  });
  beforeEach(async () => {
    for (const table of ['users', 'user_groups', 'throttles', 'audit_events', 'former_usernames'])
      await write(`DELETE FROM ${table}`, []);
  });

  const everything = async () => [
    await read('SELECT * FROM users ORDER BY id', []),
    await read('SELECT * FROM group_members ORDER BY user_id, group_id', []),
    await read('SELECT * FROM user_groups ORDER BY id', []),
    await read('SELECT * FROM audit_events ORDER BY id', []),
  ];

  test.each(formats)(
    'import from %s: users come with the passwords that the file has, and a second import changes nothing',
    async (from) => {
      const text = files[from];
      const planned = await move(from, text, { dry: true });
      expect(await read('SELECT id FROM users', [])).toEqual([]);
      const { coming, wrong, collisions } = await move(from, text);
      expect({ coming, wrong, collisions }).toEqual({
        coming: planned.coming,
        wrong: [],
        collisions: [],
      });
      expect(coming.map(({ email }) => email)).toEqual(['ada@example.org', 'grace@example.org']);
      const ada = await showUser('ada@example.org');
      if (from !== 'firebase') expect(ada.username).toBe('ada');
      if (from !== 'auth0') expect(ada.name).toBe('Ada Lovelace');
      const word = from === 'firebase' ? firebase.password : originalPassword;
      const entered = from === 'pocket-id' ? 'wrong' : { user: { id: ada.id } };
      expect(await enter('ada@example.org', `${word}.`)).toBe('wrong');
      const before = await everything();
      const again = await move(from, text);
      expect([again.coming, again.newGroups, again.here]).toEqual([
        [],
        [],
        coming.map(({ email }) => email),
      ]);
      expect(await everything()).toEqual(before);
      if (typeof entered === 'string') expect(await enter('ada@example.org', word)).toBe(entered);
      else expect(await enter('ada@example.org', word)).toMatchObject(entered);
      // Everything that was added or changed here since then also stays.
      const later = await read('SELECT * FROM users ORDER BY id', []);
      await move(from, text);
      expect(await read('SELECT * FROM users ORDER BY id', [])).toEqual(later);
    },
  );

  test('import from Keycloak: ids, nested groups, required actions, disabled accounts and languages are kept', async () => {
    await move('keycloak', files.keycloak);
    const ada = await showUser('0e9f1c1a-43c6-4d2b-9d3a-8f1e2c3b4a5d');
    expect(ada).toMatchObject({ username: 'ada', emailVerified: true, disabledAt: null });
    expect(ada.claims).toEqual({ given_name: 'Ada', family_name: 'Lovelace', locale: 'de' });
    expect((await groupsOf(ada.id)).map(({ name }) => name)).toEqual(['staff/board']);
    expect(await enter('ada', originalPassword)).toMatchObject({
      user: { mustChangePassword: true },
    });
    // A user name that is an address becomes one that is allowed here.
    const grace = await showUser('grace@example.org');
    expect(grace).toMatchObject({ username: 'grace', disabledAt: expect.any(Date) });
    expect(await enter('grace', originalPassword)).toBe('wrong');
    expect(await read('SELECT name FROM user_groups ORDER BY name', [])).toEqual([
      { name: 'staff' },
      { name: 'staff/board' },
    ]);
  });

  test('import of a realm of 1,000 people: each is stored as in the file; a second import changes nothing', async () => {
    const users = peopleOf(1000);
    const text = JSON.stringify({ ...JSON.parse(files.keycloak), users });
    expect((await move('keycloak', text)).coming).toHaveLength(1000);
    const rows = await read<Record<string, unknown>>(
      `SELECT u.id, username, email, email_verified, name, claims, disabled_at, must_change_password, password_hash,
        (SELECT COUNT(*) FROM group_members m WHERE m.user_id = u.id) AS in_groups FROM users u ORDER BY u.id`,
      [],
    );
    const kept = users.map((each) => ({
      id: each.id,
      username: each.username,
      email: each.email,
      emailVerified: each.emailVerified,
      name: `Ada ${each.lastName}`,
      claims: { given_name: 'Ada', family_name: each.lastName, locale: 'de' },
      disabled: !each.enabled,
      mustChangePassword: each.requiredActions.length > 0,
      hasPassword: true,
      inGroups: each.groups.length,
    }));
    const found = rows.map(({ disabledAt, passwordHash, claims, ...row }) => ({
      ...row,
      emailVerified: Boolean(row.emailVerified),
      mustChangePassword: Boolean(row.mustChangePassword),
      inGroups: Number(row.inGroups),
      claims: JSON.parse(String(claims)),
      disabled: disabledAt !== null,
      hasPassword: String(passwordHash).includes('$pbkdf2-sha512$'),
    }));
    expect(found).toEqual(kept);
    for (const at of [1, 500, 998])
      expect(await enter(`person${at}@example.org`, originalPassword)).toHaveProperty(
        'user.id',
        users[at]?.id,
      );
    const before = await everything();
    expect((await move('keycloak', text)).here).toHaveLength(1000);
    expect(await everything()).toEqual(before);
  });

  test('import: admins and roles of other programs get no role here', async () => {
    for (const from of ['wordpress', 'pocket-id'] as const) {
      await move(from, files[from]);
      expect(await showUser('ada')).toMatchObject({ admin: false, role: 'none' });
      await write('DELETE FROM users', []);
    }
  });

  test('import: an id is kept as sub unless it could be mistaken for a username', async () => {
    await move('auth0', files.auth0);
    expect((await showUser('ada@example.org')).id).toBe('auth0|60425dc43519d90068f82973');
    await move('json', json({ id: 'eve', username: 'x', email: 'x@example.org' }));
    expect((await showUser('x')).id).toMatch(/^[0-9a-f]{32}$/);
    const uuid = { username: '0e9f1c1a-43c6-4d2b-9d3a-8f1e2c3b4a5d', email: 'y@example.org' };
    const { renamed } = await move('json', json(uuid));
    expect(renamed).toEqual([{ from: uuid.username, to: `${uuid.username}-2` }]);
  });

  const create = (username: string, more: { email?: string; emailVerified?: boolean } = {}) =>
    createUser({ username, email: `${username}@example.org`, password, ...more }, actor, now());

  test('import: a collision names the other account, and nothing is imported unless it is left out', async () => {
    await create('ada', { email: 'ada@elsewhere.example' });
    await create('linus', { emailVerified: true });
    const id = '0e9f1c1a-43c6-4d2b-9d3a-8f1e2c3b4a5d';
    const text = json(
      { username: 'ada', email: 'ada@example.org' },
      { username: 'AdA.', email: 'fine@example.org' },
      { id, username: 'torvalds', email: 'LINUS@example.org' },
      { username: 'linus', email: 'linus@example.org' },
      { username: 'nobody' },
      { username: 'two', email: 'fine@example.org' },
      { username: 'three', email: 'no address' },
    );
    const judged: JudgedArrivals = await move('json', text, { dry: true });
    expect(names(judged.collisions)).toEqual(['ada@example.org', 'LINUS@example.org']);
    expect(judged.collisions[1]?.why.values).toEqual({ username: 'linus' });
    expect(names(judged.wrong)).toEqual(['nobody', 'fine@example.org', 'no address']);
    expect(judged.here).toEqual(['linus@example.org']);
    const before = await everything();
    await expect(move('json', text)).rejects.toMatchObject({
      said: { key: 'refused.move.faults' },
    });
    expect(await everything()).toEqual(before);
    expect((await move('json', text, { leaveOut: true })).coming).toHaveLength(1);
    // The existing account still belongs to its owner.
    expect(await enter('linus', password)).toHaveProperty('user');
  });

  test('import, pre-hijacking: an account with the same unverified email is a collision, not the same person', async () => {
    await create('mallory', { email: 'victim@example.org' });
    const text = json({ username: 'victim', email: 'victim@example.org' });
    const { here, collisions } = await move('json', text, { dry: true });
    expect([here, collisions[0]?.why]).toEqual([
      [],
      { key: 'refused.move.unproved', values: { username: 'mallory' } },
    ]);
    await write('UPDATE users SET email_verified = TRUE', []);
    expect((await move('json', text)).here).toEqual(['victim@example.org']);
  });

  test('import is all or nothing: if one user cannot be stored, none is', async () => {
    const arrivals = readArrivals({ from: 'json', text: files.json });
    const stored = moveIn(
      arrivals,
      'json',
      {
        leaveOut: false,
        // Gives the last of them the first one's user name, as if another person had taken it.
        agreed({ coming }) {
          for (const person of coming.slice(-1)) person.username = coming[0]?.username ?? '';
          return true;
        },
      },
      by(),
    );
    await expect(stored).rejects.toMatchObject({ kind: 'conflict' });
    for (const rows of await everything()) expect(rows).toEqual([]);
  });

  test('import: existing groups are joined regardless of case, and an invalid group name is reported', async () => {
    const { id } = await createGroup({ name: 'Staff' }, actor, now());
    const people = [{ username: 'a1', email: 'a1@example.org', groups: ['staff', 'new', ' new '] }];
    expect((await move('json', JSON.stringify({ people }))).newGroups).toEqual(['new']);
    const { id: person } = await showUser('a1');
    expect((await groupsOf(person)).map((group) => group.id)).toContain(id);
    const bad = await move('json', JSON.stringify({ people, groups: ['a,b'] }), { dry: true });
    expect(names(bad.wrong)).toEqual(['a,b']);
  });

  test('import: unknown or too expensive password hashes are left out', async () => {
    const hashes = [
      '$pbkdf2-sha256$9999999$c2FsdHNhbHQ$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'secret',
      '{MD5}x',
    ];
    const people = hashes.map((password_hash, at) => ({
      email: `p${at}@example.org`,
      password_hash,
    }));
    const { coming } = await move('json', json(...people));
    expect(coming.map(({ passwordHash }) => passwordHash)).toEqual([null, null, null]);
    expect(await enter('p1@example.org', 'secret')).toBe('wrong');
  });

  test('import: more than five kinds of password hashes in one file are refused', async () => {
    const kinds = [
      'passlib pbkdf2-sha1',
      'passlib pbkdf2-sha256',
      'passlib $5$',
      'passlib $6$',
      'passlib scrypt',
      'argon2-cffi argon2id',
    ];
    const people = kinds.map((name, at) => ({
      email: `p${at}@example.org`,
      password_hash: originals[name],
    }));
    await expect(move('json', json(...people))).rejects.toMatchObject({
      said: { key: 'refused.move.kinds' },
    });
    expect(await read('SELECT id FROM users', [])).toEqual([]);
    expect((await move('json', json(...people.slice(1)))).coming).toHaveLength(5);
  });
});

const nine = (name: string) => `[${Array(9).fill(`*${name}`).join()}]`;
const bomb = `a: &a x\n${['ab', 'bc', 'cd', 'de'].map(([from = '', to]) => `${to}: &${to} ${nine(from)}\n`).join('')}users: {}`;

test.each([
  ['json', '{', 'not JSON'],
  ['json', '{"people":[{"email":{}}]}', 'people.0.email'],
  ['json', '{"people":[{"mail":"a@example.org"}]}', 'people.0'],
  ['csv', 'name\nAda', 'email'],
  ['auth0', '{}\nx', 'line 2'],
  ['authelia', 'users: [', 'flow'],
  ['authelia', bomb, 'alias'],
  ['ldif', 'dn: x\nno line', 'line 2'],
  ['ldif', 'nothing', 'LDIF'],
  ['firebase', '{"users":[]}', 'base64_signer_key'],
] as const)('import: a malformed %s file is refused with the reason', (from, text, place) => {
  const reading = () => readArrivals({ from, text, secret: from === 'firebase' ? 'x' : undefined });
  try {
    reading();
    expect.unreachable();
  } catch (error) {
    const told = sentenceIn('en', (error as { said: Sentence }).said);
    expect(told.toLowerCase()).toContain(place.toLowerCase());
  }
});
