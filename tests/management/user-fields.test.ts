import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import * as fields from '#lib/management/field/user-fields.ts';
import { createScope, deleteScope, listScopes } from '#lib/management/scope/scopes.ts';
import { ownFieldsOf } from '#lib/management/user/field-values.ts';
import { listPeople } from '#lib/management/user/people-list.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { deleteUser, showUser } from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { raiseRevision, readRevision } from '#lib/store/engine/revision.ts';
import { fieldsAt, fieldValuesOf } from '#lib/store/user-fields.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = () => new Date();
const make = (more: Partial<Parameters<typeof fields.createField>[0]> = {}) =>
  fields.createField(
    { name: unique('field'), label: 'Department', scope: 'profile', ...more },
    actor,
    now(),
  );
const set = (user: string, typed: Record<string, string[]>) =>
  updateUser(user, { fields: typed }, actor, now());

onEachDatabase(() => {
  test('a user field is created, changed and deleted, each with immediate effect', async () => {
    const known = async (name: string) =>
      (await fieldsAt(await readRevision())).find((field) => field.name === name);
    const { name } = await make({ label: ' Department ' });
    expect(await known(name)).toEqual({
      name,
      label: 'Department',
      type: 'text',
      editor: 'admin',
      scope: 'profile',
    });
    await fields.updateField(
      name,
      { label: 'Team', editor: 'person', scope: 'email' },
      { actor, now: now() },
    );
    expect(await known(name)).toMatchObject({ label: 'Team', editor: 'person', scope: 'email' });
    expect(await fields.deleteField(name, actor, now())).toMatchObject({ people: 0 });
    expect(await known(name)).toBeUndefined();
    const events = (await listAudit({ type: 'field' })).rows.filter(
      ({ detail }) => detail.name === name,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'field.deleted',
      'field.updated',
      'field.created',
    ]);
  });

  test('user field names that are standard claims, or are invalid or taken, are refused', async () => {
    for (const name of ['email', 'Sub', 'username', 'groups', 'user_login', 'iss', '__proto__'])
      expect(await faultsOf(make({ name })), name).toHaveProperty('name');
    for (const name of ['', 'a b', 'ä', 'x'.repeat(101), 'a\n b'])
      expect(await faultsOf(make({ name })), name).toHaveProperty('name');
    const { name } = await make();
    expect(await faultsOf(make({ name }))).toEqual({ name: `There is already a field "${name}".` });
    expect((await make({ name: `https://example.org/${unique('x')}` })).type).toBe('text');
  });

  test('label, type, editor and scope of a user field are checked', async () => {
    for (const label of ['', ' ', 'x'.repeat(61), 'a\u0000b'])
      expect(await faultsOf(make({ label })), label).toHaveProperty('label');
    expect(await faultsOf(make({ type: 'date' }))).toHaveProperty('type');
    expect(await faultsOf(make({ editor: 'nobody' }))).toHaveProperty('editor');
    expect(await faultsOf(make({ scope: 'nowhere' }))).toHaveProperty('scope');
  });

  test('values of user fields are stored by type, and the audit log has only the names of the fields', async () => {
    const person = await newPerson();
    const typed = {
      text: [' Research '],
      number: ['2.50'],
      switch: ['yes'],
      list: ['red', ' red', '', 'blue'],
    };
    const made = await Promise.all(
      Object.keys(typed).map(async (type) => [type, (await make({ type })).name] as const),
    );
    const names = Object.fromEntries(made);
    const before = await showUser(person.id);
    const asTyped = made.map(([type, name]) => [name, typed[type as 'text']]);
    const after = await set(person.id, Object.fromEntries(asTyped));
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(Object.fromEntries(await fieldValuesOf(person.id))).toEqual({
      [names.text ?? '']: 'Research',
      [names.number ?? '']: 2.5,
      [names.switch ?? '']: true,
      [names.list ?? '']: ['red', 'blue'],
    });
    const [event] = (await listAudit({ userId: person.id, type: 'user.updated' })).rows;
    expect(new Set(event?.detail.fields as string[])).toEqual(new Set(Object.values(names)));
    expect(JSON.stringify(event)).not.toContain('Research');
    await set(person.id, { [names.text ?? '']: [''], [names.switch ?? '']: ['off'] });
    const left = await fieldValuesOf(person.id);
    expect(left.has(names.text ?? '')).toBe(false);
    expect(left.get(names.switch ?? '')).toBe(false);
    await deleteUser(person.id, actor, now());
    expect((await fieldValuesOf(person.id)).size).toBe(0);
  });

  test.each<[string, ...string[][]]>([
    ['text', ['x'.repeat(501)], ['a', 'b'], ['a\u0000b'], ['a\nb'], ['\ud800']],
    [
      'number',
      ['one'],
      ['1e999'],
      ['Infinity'],
      ['NaN'],
      ['0x10'],
      ['1,500'],
      ['9007199254740993'],
    ],
    ['switch', ['maybe'], ['yes', 'no']],
    [
      'list',
      ['x'.repeat(201)],
      Array.from({ length: 51 }, (_, index) => `e${index}`),
      Array.from({ length: 11 }, (_, index) => `${index}`.padEnd(190, 'x')),
    ],
  ])(
    'a value that is not a %s is refused at its user field, and nothing is stored',
    async (type, ...wrong) => {
      const person = await newPerson();
      const { name } = await make({ type });
      for (const typed of wrong)
        expect(await faultsOf(set(person.id, { [name]: typed })), typed.join()).toHaveProperty([
          `field.${name}`,
        ]);
      expect((await fieldValuesOf(person.id)).size).toBe(0);
      expect(await faultsOf(set(person.id, { nothing: ['x'] }))).toHaveProperty(['field.nothing']);
    },
  );

  test('storing the same value of a user field again changes nothing', async () => {
    const person = await newPerson();
    const { name } = await make();
    const one = await set(person.id, { [name]: ['x'] });
    const other = await set(person.id, { [name]: ['x'] });
    expect(other.updatedAt).toEqual(one.updatedAt);
  });

  test('the type of a user field cannot change once a user has a value', async () => {
    const person = await newPerson();
    const { name } = await make();
    await fields.updateField(name, { type: 'number' }, { actor, now: now() });
    await set(person.id, { [name]: ['7'] });
    const retype = fields.updateField(name, { type: 'text' }, { actor, now: now() });
    expect(await faultsOf(retype)).toHaveProperty('type');
    await fields.updateField(name, { label: 'Other' }, { actor, now: now() });
    expect(await fields.showField(name)).toMatchObject({ type: 'number', label: 'Other' });
  });

  test('a value and a new type of a user field stored at the same moment: the value fits or one is refused', async () => {
    for (let round = 0; round < 12; round++) {
      const person = await newPerson();
      const { name } = await make();
      await Promise.allSettled([
        set(person.id, { [name]: ['word'] }),
        fields.updateField(name, { type: 'number' }, { actor, now: now() }),
      ]);
      const { type } = await fields.showField(name);
      const value = (await fieldValuesOf(person.id)).get(name);
      expect(value).toBe(type === 'number' ? undefined : 'word');
      await fields.deleteField(name, actor, now());
    }
  });

  test('deleting a user field deletes its values, and says how many users had one', async () => {
    const people = [await newPerson(), await newPerson()];
    const { name } = await make();
    for (const { id } of people) await set(id, { [name]: ['x'] });
    expect(await fields.countOfField(name)).toBe(2);
    expect(await fields.deleteField(name, actor, now())).toMatchObject({ people: 2 });
    expect((await fieldValuesOf(people[0]?.id ?? '')).size).toBe(0);
  });

  test('a scope of user fields cannot be deleted, also not while a field is being created', async () => {
    const scope = unique('scope');
    await createScope({ name: scope, description: 'See it' }, actor, now());
    const field = await make({ scope, label: 'Shirt size' });
    const fault = await faultsOf(deleteScope(scope, actor, now()));
    expect(fault.name).toContain('Shirt size');
    await fields.deleteField(field.name, actor, now());
    await deleteScope(scope, actor, now());
    for (let round = 0; round < 12; round++) {
      const name = unique('scope');
      await createScope({ name, description: 'See it' }, actor, now());
      await Promise.allSettled([make({ scope: name }), deleteScope(name, actor, now())]);
      const isThere = (await listScopes()).some((each) => each.name === name);
      const of = (await fields.listFields()).filter((each) => each.scope === name);
      expect(of).toHaveLength(isThere ? 1 : 0);
      for (const each of of) await fields.deleteField(each.name, actor, now());
    }
  });

  test('a claim of an app and a user field cannot share a name, and each refusal names the other', async () => {
    const [groups, constant] = [unique('groups'), unique('constant')];
    const { client } = await newApp({
      name: 'Wiki',
      groupsClaim: groups,
      constantClaims: { [constant]: 'a', other: '",x":' },
    });
    expect((await faultsOf(make({ name: groups }))).name).toContain('“Wiki” gets its groups');
    expect((await faultsOf(make({ name: constant }))).name).toContain('“Wiki” gets a fixed value');
    const beside = await make({ name: `${constant}-2`, label: 'Shirt' });
    const told = (change: Parameters<typeof updateClient>[1]) =>
      updateClient(client.id, change, { actor, now: now() });
    const both: [string, object][] = [
      ['groupsClaim', { groupsClaim: beside.name }],
      ['constantClaims', { constantClaims: { [beside.name]: 'x' } }],
    ];
    for (const [field, change] of both) {
      expect((await faultsOf(told(change)))[field]).toContain('the field “Shirt” of people');
      expect((await faultsOf(newApp(change)))[field]).toContain('the field “Shirt” of people');
    }
    await told({ groupsClaim: 'groups', constantClaims: {} });
    for (const name of [groups, constant]) expect((await make({ name })).name).toBe(name);
  });

  test('an app that shares a claim with an older user field can still be changed otherwise', async () => {
    const { client } = await newApp();
    const { name } = await make();
    await write('UPDATE clients SET groups_claim = $1 WHERE id = $2', [name, client.id]);
    await raiseRevision();
    const change = { description: 'Ours', constantClaims: { tier: 'gold' } };
    const { client: after } = await updateClient(client.id, change, { actor, now: now() });
    expect(after).toMatchObject({ ...change, groupsClaim: name });
    await fields.updateField(name, { label: 'Other' }, { actor, now: now() });
    await updateClient(client.id, { groupsClaim: 'groups' }, { actor, now: now() });
  });

  test('if a user field and an app take the same claim at the same moment, one is refused', async () => {
    for (let round = 0; round < 12; round++) {
      const name = unique('claim');
      const { client } = await newApp();
      const change = round % 2 ? { groupsClaim: name } : { constantClaims: { [name]: 'x' } };
      const app =
        round % 3 ? newApp(change) : updateClient(client.id, change, { actor, now: now() });
      const done = await Promise.allSettled([make({ name }), app]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of done)
        if (each.status === 'rejected') expect(String(each.reason)).toContain(name);
    }
  });

  test('a stale change or deletion of a user field is refused', async () => {
    const { name, ...made } = await make();
    const seen = fields.versionOfField({ name, ...made });
    const changed = await fields.updateField(name, { label: 'One' }, { actor, now: now(), seen });
    const late = fields.updateField(name, { label: 'Two' }, { actor, now: now(), seen });
    expect(await faultsOf(late)).toHaveProperty('seen');
    expect(await faultsOf(fields.deleteField(name, actor, now(), seen))).toHaveProperty('seen');
    const latest = fields.versionOfField(changed);
    expect(await fields.deleteField(name, actor, now(), latest)).toMatchObject({ label: 'One' });
  });

  test('a change that loosens a user field asks for confirmation first, and does nothing if refused', async () => {
    const stop = () => {
      throw new Error('fresh sign-in first');
    };
    const create = (editor: string) =>
      fields.createField(
        { name: unique('f'), label: 'L', scope: 'email', editor },
        actor,
        now(),
        stop,
      );
    await expect(create('person')).rejects.toThrow('fresh');
    const field = await create('admin');
    const update = (change: object) =>
      fields.updateField(field.name, change, { actor, now: now(), onLoosening: stop });
    await expect(update({ editor: 'person' })).rejects.toThrow('fresh');
    await expect(update({ scope: 'profile' })).rejects.toThrow('fresh');
    await update({ label: 'Other' });
    expect(await fields.showField(field.name)).toMatchObject({ editor: 'admin', scope: 'email' });
  });

  test('there are at most fifty user fields, also when many are created at the same time', async () => {
    for (const { name } of await fields.listFields()) await fields.deleteField(name, actor, now());
    await Promise.allSettled(Array.from({ length: 60 }, () => make()));
    expect(await fields.listFields()).toHaveLength(50);
    expect(await faultsOf(make())).toHaveProperty('');
    for (const { name } of await fields.listFields()) await fields.deleteField(name, actor, now());
  });

  test('users are found by the start of a field’s value, in any case', async () => {
    const people = [await newPerson(), await newPerson()];
    const mark = unique('v');
    const ids = people.map(({ id }) => id);
    const [one = '', other = ''] = ids;
    const found = async (search: string) => {
      const { rows, total } = await listPeople({ search }, now());
      expect(total.count).toBe(rows.length);
      return rows.map(({ id }) => id).filter((id) => ids.includes(id));
    };
    const text = await make({ label: unique('Label') });
    await set(one, { [text.name]: [`Research ${mark}`] });
    await set(other, { [text.name]: [`Sales ${mark}`] });
    for (const search of [`${text.name}:res`, `${text.name.toUpperCase()}: RESEARCH ${mark}`])
      expect(await found(search), search).toEqual([one]);
    expect(await found(`${text.label}:sales`)).toEqual([other]);
    expect(await found(`${text.name}:`)).toEqual([other, one]);
    for (const search of [`${text.name}:earch`, `${text.name}:%`, `${text.name}:_ales`, 'none:res'])
      expect(await found(search), search).toEqual([]);
    // A number matches however it is typed, a switch matches yes and no, and a list matches by the
    // start of any entry.
    const number = await make({ type: 'number' });
    await set(one, { [number.name]: ['2.50'] });
    expect(await found(`${number.name}:2.500`)).toEqual([one]);
    const flag = await make({ type: 'switch' });
    await set(one, { [flag.name]: ['on'] });
    await set(other, { [flag.name]: ['off'] });
    expect(await found(`${flag.name}:true`)).toEqual([one]);
    expect(await found(`${flag.name}:no`)).toEqual([other]);
    const list = await make({ type: 'list', name: `https://example.org/${unique('tags')}` });
    await set(one, { [list.name]: ['Rot', `Blau ${mark}`] });
    await set(other, { [list.name]: ['Dunkelblau'] });
    expect(await found(`${list.name}:blau`)).toEqual([one]);
    await set(one, { [list.name]: [] });
    expect(await found(`${list.name}:blau`)).toEqual([]);
  });

  test('a user’s fields are listed with those that have no value yet', async () => {
    const person = await newPerson();
    const one = await make();
    const other = await make({ editor: 'person' });
    await set(person.id, { [one.name]: ['x'] });
    const own = (await ownFieldsOf(person.id)).slice(-2);
    expect(own).toEqual([
      { ...one, value: 'x' },
      { ...other, value: undefined },
    ]);
  });
});
