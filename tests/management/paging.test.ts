import { expect, test } from 'vitest';
import { listTraces } from '#lib/management/attempt/traces.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listApps } from '#lib/management/client/app-list.ts';
import { deleteClient, listClients } from '#lib/management/client/clients.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { listPeople } from '#lib/management/user/people-list.ts';
import { listUsers } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { audit } from '#lib/store/audit.ts';
import { auditList } from '#lib/store/audit-list.ts';
import { write } from '#lib/store/engine/database.ts';
import { Conditions, countRows, type Page, type Paging } from '#lib/store/engine/page.ts';
import { grantList } from '#lib/store/grant-list.ts';
import { traceList } from '#lib/store/trace-list.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

type List = (paging: Paging) => Promise<Page<{ id: string }>>;
const ids = (page: Page<{ id: string }>) => page.rows.map(({ id }) => id);

/**
 * Goes to the end by `next` and back to the beginning by `previous`. Returns what each page
 * contained.
 */
async function walk(list: List, limit: number): Promise<{ there: string[][]; back: string[][] }> {
  const [there, back]: [string[][], string[][]] = [[], []];
  let page = await list({ limit });
  for (there.push(ids(page)); page.next; there.push(ids(page)))
    page = await list({ limit, cursor: page.next });
  for (back.push(ids(page)); page.previous; back.unshift(ids(page)))
    page = await list({ limit, cursor: page.previous });
  return { there, back };
}

onEachDatabase(() => {
  test('every list can be paged to its end and back', async () => {
    const word = unique('walk');
    const ada = await newPerson({ name: `${word} Ada` });
    const { client } = await newApp();
    for (let index = 0; index < 6; index += 1) {
      const person = await newPerson({ name: `${word} ${index % 2}` });
      await possess(person.id, client.id);
      await possess(ada.id, (await newApp({ name: `${word} ${index % 3}` })).client.id);
    }
    // All at the same time, so that only the id tells them apart.
    await write('UPDATE clients SET created_at = $1', [new Date()]);
    const at = new Date();
    for (const type of ['sign-in.success', 'sign-in.failure', 'sign-out'] as const)
      for (let index = 0; index < 3; index += 1)
        await audit({ type, actor: ada.id, userId: ada.id, clientId: word, detail: {} }, at);
    for (let index = 0; index < 7; index += 1) record(client.id, at);
    await writeTraces();
    const lists: Record<string, { list: List; length: number }> = {
      people: { list: (paging) => listUsers({ search: word, ...paging }), length: 7 },
      'apps, newest': { list: (paging) => listClients({ search: word, ...paging }), length: 6 },
      'apps by name': {
        list: (paging) => listClients({ search: word, sort: 'name', ...paging }),
        length: 6,
      },
      'approvals of a person': {
        list: (paging) => listGrants({ userId: ada.id, ...paging }),
        length: 6,
      },
      'approvals of an app': {
        list: (paging) => listGrants({ clientId: client.id, ...paging }),
        length: 6,
      },
      events: { list: (paging) => listAudit({ clientId: word, ...paging }), length: 9 },
      'events of an area': {
        list: (paging) => listAudit({ clientId: word, type: 'sign-in', ...paging }),
        length: 6,
      },
      attempts: { list: (paging) => listTraces({ clientId: client.id, ...paging }), length: 7 },
    };
    for (const [name, { list, length }] of Object.entries(lists)) {
      const whole = ids(await list({ limit: 100 }));
      expect(whole, name).toHaveLength(length);
      for (const limit of [1, 2, 3, length, length + 1]) {
        const { there, back } = await walk(list, limit);
        expect(there.flat(), `${name}, ${limit} a page`).toEqual(whole);
        // The first page is always full, so the next one may repeat some of its rows.
        expect(back[0], `${name}, ${limit} a page`).toEqual(whole.slice(0, limit));
        expect([...new Set(back.flat())], `${name}, ${limit} a page`).toEqual(whole);
      }
    }
  });

  test('rows added or removed between two pages neither hide nor repeat other rows', async () => {
    const word = unique('grow');
    const add = async (index: string) => (await newPerson({ name: `${word} ${index}` })).id;
    const made: string[] = [];
    for (const index of ['1', '2', '3', '4', '5']) made.unshift(await add(index));
    const list: List = (paging) => listUsers({ search: word, limit: 2, ...paging });
    const first = await list({});
    const second = await list({ cursor: first.next ?? '' });
    expect([ids(first), ids(second)]).toEqual([made.slice(0, 2), made.slice(2, 4)]);
    const latest = await add('6');
    expect(ids(await list({ cursor: second.next ?? '' }))).toEqual(made.slice(4));
    const back = await list({ cursor: second.previous ?? '' });
    expect(ids(back)).toEqual(made.slice(0, 2));
    expect(ids(await list({ cursor: back.previous ?? '' }))).toEqual([latest, made[0]]);
  });

  test('a page whose rows were deleted leads back to the beginning of the list', async () => {
    const word = unique('gone');
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) made.push((await newApp({ name: word + name })).client.id);
    const list: List = (paging) => listClients({ search: word, sort: 'name', limit: 2, ...paging });
    const first = await list({});
    await deleteClient(made[2] ?? '', actor, new Date());
    const empty = await list({ cursor: first.next ?? '' });
    expect(empty).toMatchObject({ rows: [], next: null });
    await deleteClient(made[0] ?? '', actor, new Date());
    const none = { cursor: Buffer.from(JSON.stringify([[`${word}a`, '']])).toString('base64url') };
    expect(await list(none)).toMatchObject({ rows: [{ id: made[1] }], previous: null, next: null });
  });

  test('a cursor of another list, or one that is made up, is refused', async () => {
    const { next } = await listClients({ limit: 1 });
    for (const cursor of [next ?? '', 'x', 'W10', 'W1tdXQ', 'WzFd', 'W1sxXSwyXQ'])
      expect(await faultsOf(listUsers({ cursor })), cursor).toHaveProperty('cursor');
  });

  test('the total of a list counts what it finds, up to a limit', async () => {
    const word = unique('total');
    const ada = await newPerson({ name: `${word} Ada` });
    await newPerson({ name: `${word} Bob` });
    const { client } = await newApp({ name: word });
    await possess(ada.id, client.id);
    const at = new Date();
    await audit({ type: 'sign-in.success', userId: ada.id, clientId: word }, at);
    await audit({ type: 'sign-out', userId: ada.id, clientId: word }, at);
    record(client.id, at);
    await writeTraces();
    const one = { count: 1, more: false };
    expect((await listPeople({ search: word, limit: 1 }, at)).total.count).toBe(2);
    expect((await listApps({ search: word }, at)).total).toEqual(one);
    expect(await grantList.count({ userId: ada.id })).toEqual(one);
    expect(await traceList.count({ clientId: client.id })).toEqual(one);
    expect(await auditList.count({ clientId: word })).toEqual({ count: 2, more: false });
    expect(await auditList.count({ clientId: word, type: 'sign-in' })).toEqual(one);
    expect(await countRows('users', new Conditions(), 2)).toEqual({ count: 2, more: true });
  });
});

/** A refused attempt; each one is kept. */
function record(clientId: string, at: Date): void {
  const rule = 'pkce.required' as const;
  const refusal = { code: 'invalid_request', reason: 'No.', rule, received: null, expected: [] };
  const attempt = newId(at);
  const of = { clientId, userId: null, behind: 'app', refusal } as const;
  recordTrace({ attempt, requestId: attempt, step: 'authorize', outcome: 'refused', ...of }, at);
}
