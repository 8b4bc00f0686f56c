import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { deleteUser, disableUser, listUsers, userWithId } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { storeDevice } from '#lib/store/device-authorizations.ts';
import { inOneTransaction } from '#lib/store/engine/database.ts';
import { outsideTransaction } from '#lib/store/engine/transaction.ts';
import { races } from '../lanes.ts';
import { actor, newApp, newPerson, unique } from '../management/people.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import type { Outcomes, Wanted } from '../support/want-names.ts';

const now = () => new Date();
const callers = 6;
const manyTimes = <T>(one: T): T[] => Array.from({ length: callers }, () => one);

onEachDatabase(() => {
  let servers: ChildProcess[] = [];
  beforeAll(async () => {
    const program = new URL('../support/want-names.ts', import.meta.url);
    servers = [1, 2].map(() => fork(program, { env: process.env }));
    await Promise.all(servers.map((server) => once(server, 'message')));
  });
  afterAll(async () => {
    for (const server of servers) server.send('end');
    await Promise.all(servers.map((server) => once(server, 'exit')));
  });

  /** The outcomes of everything that is asked of both servers at the same time. */
  async function race(...wanted: Wanted[][]): Promise<Outcomes[]> {
    const heard = servers.map((server) => once(server, 'message') as Promise<[Outcomes]>);
    for (const [at, server] of servers.entries()) server.send(wanted[at] ?? []);
    return (await Promise.all(heard)).map(([outcomes]) => outcomes);
  }
  const sorted = (outcomes: Outcomes[]) => outcomes.flat().sort();
  const onlyOne = (all: number) => ['got', ...Array.from({ length: all - 1 }, () => 'refused')];

  test('on two servers, only one of many requests gets a username or one that looks like it', async () => {
    for (let round = 0; round < races(12); round += 1) {
      const name = unique('alice');
      const alike = name.replace('alice', 'aIice');
      const people = await Promise.all(manyTimes('').map(() => newPerson()));
      const creating: Wanted[] = manyTimes({ do: 'create', name });
      const renaming: Wanted[] = people.map(({ id }) => ({ do: 'rename', name: alike, id }));
      expect(sorted(await race(creating, renaming))).toEqual(onlyOne(2 * callers));
    }
  });

  test('on two servers, no request gets a username in the moment it is given up', async () => {
    for (let round = 0; round < races(12); round += 1) {
      const [ada, ...people] = await Promise.all(manyTimes('').map(() => newPerson()));
      const name = ada?.username ?? '';
      const giving: Wanted =
        round % 2
          ? { do: 'rename', name: unique('ada'), id: ada?.id ?? '' }
          : { do: 'delete', name: '', id: ada?.id ?? '' };
      const renaming: Wanted[] = people.map(({ id }) => ({ do: 'rename', name, id }));
      const outcomes = await race([giving, ...manyTimes<Wanted>({ do: 'create', name })], renaming);
      expect(sorted(outcomes)).toEqual(onlyOne(2 * callers));
      expect(outcomes[0]?.[0]).toBe('got');
    }
  });

  test('on two servers, disabling, deleting and demoting all admins at the same time leaves one', async () => {
    const admins = async () => (await listUsers({ admin: true, disabled: false })).rows;
    for (let round = 0; round < races(12); round += 1) {
      for (let each = 0; each < 2; each += 1) await newPerson({ admin: true });
      const ways = ['delete', 'disable', 'demote'] as const;
      const all: Wanted[] = (await admins()).flatMap(({ id }) =>
        ways.map((way) => ({ do: way, name: '', id })),
      );
      const people = await Promise.all(manyTimes('').map(() => newPerson()));
      const others: Wanted[] = people.map(({ id }) => ({ do: 'delete', name: '', id }));
      const outcomes = await race([...all, ...others], all.toReversed());
      expect(outcomes[0]?.slice(all.length)).toEqual(manyTimes('got'));
      expect(await admins()).toHaveLength(1);
    }
  });

  test('on two servers, a group name is taken once, and so is a scope name of the server or an API', async () => {
    for (let round = 0; round < races(12); round += 1) {
      const name = unique('team');
      const groups: Wanted[] = manyTimes({ do: 'group', name });
      expect(sorted(await race(groups, groups))).toEqual(onlyOne(2 * callers));
      const outcomes = await race([{ do: 'scope', name }], [{ do: 'api', name }]);
      expect(sorted(outcomes)).toEqual(onlyOne(2));
    }
  });
});

onDatabase('postgresql', () => {
  test('changes of users, groups and devices do not wait for uncommitted changes of others', async () => {
    const one = await createGroup({ name: unique('One') }, actor, now());
    const other = await createGroup({ name: unique('Other') }, actor, now());
    const { client } = await newApp();
    const startDevice = async () => {
      const id = newId(now());
      const asked = { scope: '', resources: '', address: null, network: '192.0.2.7' };
      const device = { id, hash: id, userCode: id, clientId: client.id, ...asked };
      await storeDevice({ ...device, expiresAt: addSeconds(now(), 600) }, now());
    };
    const all = async (group: { id: string }) => {
      const { id } = await newPerson();
      await updateUser(id, { username: unique('renamed') }, actor, now());
      await addMembers(group.id, [id], actor, now());
      await removeMembers(group.id, [id], actor, now());
      await disableUser((await newPerson()).id, actor, now());
      await deleteUser((await newPerson()).id, actor, now());
      await startDevice();
      return id;
    };
    // What one has done is not committed yet while the other does the same. Waiting would end with
    // an error.
    const [, made] = await inOneTransaction(async () => {
      const value = [await all(one), await outsideTransaction(() => all(other))];
      return { keep: false, value };
    });
    expect(await userWithId(made ?? '')).toBeTruthy();
  });
});
