import { describe, expect, test } from 'vitest';
import { allow, disallow, findNamed } from '#lib/management/client/access.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { deleteGroup } from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import { read } from '#lib/store/engine/database.ts';
import { races } from '../lanes.ts';
import { type Answer, credentials, me, redeem, refresh, tokensOf } from '../support/app.ts';
import { exchange, newScene } from '../support/exchange.ts';
import { newGroup } from '../support/groups.ts';
import { openServer } from '../support/open-server.ts';
import { hasComeFarAt, overtaken } from '../support/overtaken.ts';
import { answerOf, authorizePath, newPerson, type Person } from '../support/person.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { outcome } from '../support/target.ts';

const server = await openServer({});
// Several server processes on one database. In one of them refresh tokens do not rotate.
const [second, still] = await Promise.all([
  server.secondProcess(),
  server.another({ ALWAYS_ISSUE_NEW_REFRESH_TOKEN: 'off' }),
]);
const servers = [server, second];
const either = (index: number) => servers[index % 2] ?? server;
const rounds = races(server.mount === 'next' ? 2 : 8);
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const cli = { id: 'cli' };

type Scene = { person: Person & { user: { id: string } }; client: TestClient; staff: string };

type Made = Pick<Scene, 'person' | 'client'>;
const plain = async (access: 'everybody' | 'listed'): Promise<Made> => ({
  person: await newPerson(server),
  client: await newClient({ access }),
});

/** A person who may use an app only through one group. */
async function scene(make = plain): Promise<Scene> {
  const { person, client } = await make('listed');
  const staff = await newGroup(person.user);
  await allow(client.id, await findNamed({ groups: [staff] }), cli, new Date());
  return { person, client, staff };
}

const ways: [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'the membership is removed',
    ({ staff, person }) => removeMembers(staff, [person.user.id], cli, new Date()),
  ],
  ['the group is deleted', ({ staff }) => deleteGroup(staff, cli, new Date())],
  [
    'the app lists the group no longer',
    async ({ client, staff }) =>
      disallow(client.id, await findNamed({ groups: [staff] }), cli, new Date()),
  ],
];
/** The same for a person who may use the app because everybody may. */
async function openScene(make = plain): Promise<Scene> {
  return { ...(await make('everybody')), staff: '' };
}
const closing = ({ client }: Scene) =>
  updateClient(client.id, { access: 'listed' }, { actor: cli, now: new Date() });

const all: [string, typeof scene, (scene: Scene) => Promise<unknown>][] = [
  ...ways.map(([name, lose]): (typeof all)[number] => [name, scene, lose]),
  ['the app lists its users from now on', openScene, closing],
];

/** Whatever was issued while access was being lost is worthless once the loss is acknowledged. */
async function expectDead({ status, body }: Answer): Promise<void> {
  expect([undefined, 'invalid_grant']).toContain(body.error);
  if (status !== 200) return;
  for (const server of [...servers, still])
    expect((await me(server, String(body.access_token))).status).toBe(401);
  if (body.refresh_token)
    expect((await refresh(second, String(body.refresh_token))).body.error).toBe('invalid_grant');
}

/** The authorizations of an app that have not ended. */
const liveAt = ({ id }: TestClient) =>
  read(
    'SELECT id FROM authorizations WHERE client_id = $1 AND revoked_at IS NULL AND redeemed_at IS NOT NULL',
    [id],
  );

describe.each(all)('loss of access to an app, while %s', (_, begin, lose) => {
  test('refreshes by many callers in several processes leave no token that works', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const at = await begin();
      const rotating = await tokensOf(server, at.person, at.client, { scope: 'openid' });
      const staying = await tokensOf(server, at.person, at.client);
      expect((await me(second, rotating.access_token)).status).toBe(200);
      const known = credentials(at.client);
      const [answers] = await Promise.all([
        times(20, (index) =>
          index % 4 === 3
            ? refresh(still, staying.refresh_token, known)
            : refresh(either(index), rotating.refresh_token, index % 2 ? known : {}),
        ),
        lose(at),
      ]);
      // From here on, each request begins after the loss was acknowledged.
      const later = await times(6, (index) =>
        refresh(either(index), rotating.refresh_token, index % 2 ? known : {}),
      );
      expect(later.map(({ body }) => body.error)).toEqual(Array(6).fill('invalid_grant'));
      for (const answer of answers) await expectDead(answer);
      for (const { access_token } of [rotating, staying])
        expect((await me(still, access_token)).status).toBe(401);
      expect((await refresh(still, staying.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  test('redemptions of codes leave no token that works', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const at = await begin();
      const codes: string[] = [];
      for (let each = 0; each < 6; each += 1)
        codes.push(await at.person.code({ client_id: at.client.id, response_type: 'code' }));
      const [answers] = await Promise.all([
        times(4, (index) => redeem(either(index), at.client, codes[index] ?? '')),
        lose(at),
      ]);
      for (const answer of answers) await expectDead(answer);
      for (const code of codes.slice(4))
        expect((await redeem(second, at.client, code)).body.error).toBe('invalid_grant');
    }
  });

  test('a token exchange that was judged before gives no token (RFC 8693)', async () => {
    const { person, near, far, token } = await newScene(server);
    const at = await begin(async (access) => {
      await updateClient(near.client.id, { access }, { actor: cli, now: new Date() });
      return { person, client: near.client };
    });
    const exchanging = () => exchange(second, near.client, far.identifier, { token });
    const { answer } = await overtaken(() => lose(at), exchanging, hasComeFarAt(second));
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(await liveAt(near.client)).toEqual([]);
  });

  test('authorization requests give no code that works', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const at = await begin();
      const { person, client } = at;
      const whole = async () => {
        const asked = authorizePath({ client_id: client.id, response_type: 'code' });
        const page = await person.goThrough(await person.open(asked));
        if (page.at.startsWith('/')) return null;
        const { code } = answerOf(page);
        return code === undefined ? null : redeem(second, client, code);
      };
      const [answers] = await Promise.all([times(4, whole), lose(at)]);
      for (const answer of answers) if (answer) await expectDead(answer);
      expect(await liveAt(client)).toEqual([]);
      expect(
        (await person.open(authorizePath({ client_id: client.id, response_type: 'code' }))).at,
      ).toMatch(/^\/no-access/);
    }
  });
});

test('losing two groups with access at the same time, by two admins, ends all tokens', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { person, client, staff } = await scene();
    const admins = await newGroup(person.user);
    await allow(client.id, await findNamed({ groups: [admins] }), cli, new Date());
    const tokens = await tokensOf(server, person, client);
    await Promise.all([
      removeMembers(staff, [person.user.id], cli, new Date()),
      disallow(client.id, await findNamed({ groups: [admins] }), cli, new Date()),
    ]);
    expect((await me(second, tokens.access_token)).status).toBe(401);
  }
});

test('a user who loses access and regains it must sign in to the app again', async () => {
  const { person, client, staff } = await scene();
  const tokens = await tokensOf(server, person, client);
  await removeMembers(staff, [person.user.id], cli, new Date());
  await addMembers(staff, [person.user.id], cli, new Date());
  expect((await me(second, tokens.access_token)).status).toBe(401);
  expect((await refresh(second, tokens.refresh_token)).body.error).toBe('invalid_grant');
  const again = await tokensOf(second, person, client);
  expect((await me(server, again.access_token)).status).toBe(200);
});

test('a server that starts after access was lost refuses the tokens and codes', async () => {
  const { person, client, staff } = await scene();
  const tokens = await tokensOf(server, person, client);
  const code = await person.code({ client_id: client.id, response_type: 'code' });
  await removeMembers(staff, [person.user.id], cli, new Date());
  const later = await server.another();
  expect((await me(later, tokens.access_token)).status).toBe(401);
  expect((await refresh(later, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await redeem(later, client, code)).body.error).toBe('invalid_grant');
});
