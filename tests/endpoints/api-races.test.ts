import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type Act, type By, perform } from '#lib/management/act.ts';
import { apiActs } from '#lib/management/api/acts.ts';
import { brandingActs } from '#lib/management/branding/acts.ts';
import { clientActs } from '#lib/management/client/acts.ts';
import { fieldActs } from '#lib/management/field/acts.ts';
import { groupActs } from '#lib/management/group/acts.ts';
import { AdminRefusal, conflictField } from '#lib/management/refusal.ts';
import { scopeActs } from '#lib/management/scope/acts.ts';
import { settingActs } from '#lib/management/setting/acts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { races } from '../lanes.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, newUser } from '../support/seed.ts';

// Two servers on one database, each called by a program with a key, and two dashboard tabs. The
// tabs' actions perform the same acts, with the version that their form showed.
const server = await openServer({});
const other = await server.secondProcess();
const nouns = ['api', 'branding', 'client', 'field', 'group', 'scope', 'setting', 'user'];
const key = await keyWith(nouns.map((noun) => `${noun}:loosen`));
const tab = (seen?: string): By => ({
  actor: { id: 'cli' },
  role: 'admin',
  now: new Date(),
  seen,
  demandFresh: () => {},
});
/** The version that a form shows. */
const drawn = async <Takes extends z.ZodType, Tells extends z.ZodType>(
  show: Act<Takes, Tells>,
  said: z.input<Takes>,
) => show.version?.(await perform(show, said, tab())) ?? '';

/** Ensures that no two successive changes of the setting are to the same value. */
let days = 0;

type Told = Record<string, unknown>;
type Racer = {
  /** Creates the thing and returns its address. */
  make: () => Promise<string>;
  method: 'PATCH' | 'PUT';
  /** The change that a racer makes; each one differs. */
  change: (racer: number) => Told;
  /** The version that a tab has seen, and the tab's change to that version. */
  seen: (at: string) => Promise<string>;
  save: (at: string, said: Told, seen: string) => Promise<unknown>;
};

const made = async (line: string, json: Told, by: string) => {
  const { status, body } = await callApi(server, line, { key, json });
  expect(status).toBe(201);
  return `${line.split(' ')[1]}/${body[by]}`;
};
const last = (at: string) => at.split('/').at(-1) ?? '';

const racers: Record<string, Racer> = {
  'a group': {
    make: () => made('POST /groups', { name: unique('group') }, 'id'),
    method: 'PATCH',
    change: (racer) => ({ description: `by ${racer}` }),
    seen: (at) => drawn(groupActs.show, { id: last(at) }),
    save: (at, said, seen) => perform(groupActs.update, { id: last(at), ...said }, tab(seen)),
  },
  'an API': {
    make: () =>
      made('POST /apis', { identifier: `https://${unique('a')}.example/`, name: 'F' }, 'id'),
    method: 'PATCH',
    change: (racer) => ({ description: `by ${racer}` }),
    seen: (at) => drawn(apiActs.show, { id: last(at) }),
    save: (at, said, seen) => perform(apiActs.update, { id: last(at), ...said }, tab(seen)),
  },
  'a scope': {
    make: () => made('POST /scopes', { name: unique('scope'), description: 'x' }, 'name'),
    method: 'PATCH',
    change: (racer) => ({ description: `by ${racer}` }),
    seen: (at) => drawn(scopeActs.show, { name: last(at) }),
    save: (at, said, seen) => perform(scopeActs.update, { name: last(at), ...said }, tab(seen)),
  },
  'a field': {
    make: () => made('POST /fields', { name: unique('field'), label: 'x' }, 'name'),
    method: 'PATCH',
    change: (racer) => ({ label: `by ${racer}` }),
    seen: (at) => drawn(fieldActs.show, { name: last(at) }),
    save: (at, said, seen) => perform(fieldActs.update, { name: last(at), ...said }, tab(seen)),
  },
  'an app': {
    make: async () => `/clients/${(await newClient()).id}`,
    method: 'PATCH',
    change: (racer) => ({ description: `by ${racer}` }),
    seen: (at) => drawn(clientActs.show, { client_id: last(at) }),
    save: (at, said, seen) =>
      perform(clientActs.update, { client_id: last(at), ...said }, tab(seen)),
  },
  'a person': {
    make: async () => `/users/${(await newUser()).id}`,
    method: 'PATCH',
    change: (racer) => ({ name: `By ${racer}` }),
    seen: (at) => drawn(userActs.show, { id: last(at) }),
    save: (at, said, seen) => perform(userActs.update, { id: last(at), ...said }, tab(seen)),
  },
  'the look': {
    make: async () => '/branding',
    method: 'PATCH',
    change: (racer) => ({ name: unique(`By ${racer}`) }),
    seen: () => drawn(brandingActs.show, {}),
    save: (_, said, seen) => perform(brandingActs.update, said, tab(seen)),
  },
  'a setting': {
    make: async () => '/settings/TRACE_RETENTION_DAYS',
    method: 'PUT',
    change: (racer) => ({ value: racer * 15 + (++days % 15) + 1 }),
    seen: (at) => drawn(settingActs.show, { name: last(at) }),
    save: (at, said, seen) =>
      perform(settingActs.set, { name: last(at), value: said.value as number }, tab(seen)),
  },
};

const isStale = (error: unknown) => {
  if (error instanceof AdminRefusal && error.field === conflictField) return 412;
  throw error;
};

test.each(Object.entries(racers))(
  '%s: of six changes of one version at the same time one is made, and the others are refused (412)',
  async (_, { make, method, change, seen, save }) => {
    for (let round = 0; round < races(6); round++) {
      const at = await make();
      const etag = (await callApi(server, `GET ${at}`, { key })).headers.get('etag') ?? '';
      const version = await seen(at);
      const changes = [0, 1, 2, 3, 4, 5].map(change);
      const byKey = async (json: Told | undefined, where: typeof server) =>
        (await callApi(where, `${method} ${at}`, { key, json, headers: { 'If-Match': etag } }))
          .status;
      const byTab = (said: Told = {}) => save(at, said, version).then(() => 200, isStale);
      const outcomes = await Promise.all([
        byKey(changes[0], server),
        byTab(changes[1]),
        byKey(changes[2], other),
        byTab(changes[3]),
        byKey(changes[4], server),
        byKey(changes[5], other),
      ]);
      expect(outcomes.toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
      const winner = changes[outcomes.indexOf(200)];
      const shown = [server, other].map((where) => callApi(where, `GET ${at}`, { key }));
      for (const { body } of await Promise.all(shown)) expect(body).toMatchObject(winner ?? {});
    }
  },
);

test('a change and a deletion of one version at the same time: exactly one succeeds', async () => {
  for (const name of ['a group', 'an API', 'a scope', 'a field', 'an app', 'a person']) {
    const { make, change } = racers[name] as Racer;
    for (let round = 0; round < races(6); round++) {
      const at = await make();
      const etag = (await callApi(server, `GET ${at}`, { key })).headers.get('etag') ?? '';
      const headers = { 'If-Match': etag };
      const [removed, changed] = await Promise.all([
        callApi(server, `DELETE ${at}`, { key, headers }),
        callApi(other, `PATCH ${at}`, { key, json: change(1), headers }),
      ]);
      const { status } = await callApi(server, `GET ${at}`, { key });
      const outcome = [removed.status, changed.status, status];
      // Whatever comes after the deletion finds nothing, or finds that the thing was changed.
      expect([
        [200, 404, 404],
        [200, 412, 404],
        [412, 200, 200],
      ]).toContainEqual(outcome);
    }
  }
});

test('of four keys that set an app’s contacts at the same time on two servers, one succeeds', async () => {
  for (let round = 0; round < races(6); round++) {
    const at = `/clients/${(await newClient()).id}`;
    const people = await Promise.all([0, 1, 2, 3].map(() => newUser()));
    const etag = (await callApi(server, `GET ${at}`, { key })).headers.get('etag') ?? '';
    const answers = await Promise.all(
      people.map(({ username }, racer) =>
        callApi(racer % 2 ? server : other, `PATCH ${at}`, {
          key,
          json: { contacts: [username] },
          headers: { 'If-Match': etag },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
    const { body } = await callApi(server, `GET ${at}`, { key });
    expect(body.contacts).toEqual([people[statuses.indexOf(200)]?.username]);
  }
});

test('members added to one group at the same time on two servers are all kept', async () => {
  const group = last(await made('POST /groups', { name: unique('group') }, 'id'));
  const people = await Promise.all(Array.from({ length: 8 }, () => newUser()));
  const answers = await Promise.all(
    people.map(({ username }, at) =>
      callApi(at % 2 ? server : other, `POST /groups/${group}/members/add`, {
        key,
        json: { people: [username] },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
  const { body } = await callApi(server, `GET /groups/${group}/members`, { key });
  expect(body.member_count).toBe(people.length);
});
