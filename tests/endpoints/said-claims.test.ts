import { beforeAll, describe, expect, test } from 'vitest';
import { verifiedAddressOf } from '#lib/identity/upstream/provider-kinds.ts';
import {
  authTimeSaid,
  listOf,
  nameSaid,
  saysMfa,
  scopesLacking,
} from '#lib/identity/upstream/said-claims.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { write } from '#lib/store/engine/database.ts';
import { groupsOf } from '#lib/store/group-list.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { inTurn } from '../lanes.ts';
import { atProvider, newName, newSub, verified } from '../support/at-provider.ts';
import { textOf } from '../support/html.ts';
import { LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newAdmin, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';
import { introspect, tokenRequest } from '../support/target.ts';
import { stepOf } from '../support/traces.ts';
import {
  namedGroups,
  saidFactors,
  saidGroups,
  saidNames,
  saidScopes,
  saidTimes,
  saidVerified,
} from '../world/claims.ts';
import { filesThatUse } from '../world/doors.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const { newWay, newLinked, goThrough, begin, comeBack } = atProvider(server, idp);
const cli = { id: 'cli' };
const seconds = () => Math.floor(Date.now() / 1000);

/**
 * What is said is read by the same functions wherever a provider says it, as the first test says.
 * So for a change, each row is said in only one more place than the sign-in of somebody linked.
 */
const elsewhere = ['trial', 'link', 'account'] as const;
const saidIn = <Row>(place: (typeof elsewhere)[number], rows: readonly Row[]) =>
  rows.filter((_, index) => inTurn(index, elsewhere).includes(place));

beforeAll(async () => {
  await newUser();
});

const meanings = 'lib/identity/upstream/said-claims.ts';

test('the doors of each claim are those that are tried here', () => {
  expect(filesThatUse('listOf', meanings)).toEqual(['lib/identity/upstream/groups.ts']);
  expect(filesThatUse('groupsSaid', 'lib/identity/upstream/groups.ts')).toEqual([
    'app/login/with/come-back.ts',
    'lib/identity/upstream/trial.ts',
  ]);
  expect(filesThatUse('provedAtOf', meanings)).toEqual(['app/login/with/come-back.ts']);
  expect(filesThatUse('nameSaid', meanings)).toEqual(['app/login/with/come-back.ts']);
  expect(filesThatUse('scopesLacking', meanings)).toEqual(['lib/identity/upstream/ask.ts']);
  expect(filesThatUse('authTimeSaid', meanings)).toEqual(['lib/endpoints/grants/jwt-bearer.ts']);
  expect(filesThatUse('saysMfa', meanings)).toEqual([
    'app/login/with/come-back.ts',
    'lib/identity/upstream/assertion.ts',
    'lib/identity/upstream/trial.ts',
  ]);
});

describe('the groups of a person who signs in at a provider', () => {
  test('are those that it says, whatever they were, in every way to write them', async () => {
    const names = ['finance', '7'] as const;
    const ids = await Promise.all(
      names.map(
        async (name) => (await createGroup({ name: `${name}-${newSub()}` }, cli, new Date())).id,
      ),
    );
    const groups = names.map((value, index) => ({ value, groupId: ids[index] ?? '' }));
    const way = await newWay({ groupsClaim: 'groups', groups });
    const { user, subject } = await newLinked(way);
    const has = async () =>
      (await groupsOf(user.id)).map(({ id }) => names[ids.indexOf(id)]).sort();
    for (const { source, claims, groups: expected } of saidGroups)
      for (const before of [[], [...names]] as const) {
        await write('DELETE FROM group_members WHERE user_id = :id', { id: user.id });
        for (const name of before)
          await addMembers(ids[names.indexOf(name)] ?? '', [user.id], cli, new Date());
        const page = await goThrough(new Person(server), way, { sub: subject, ...claims });
        expect([source, page.at]).toEqual([source, '/account']);
        const after = expected === 'as before' ? [...before] : expected;
        expect([source, await has()]).toEqual([source, [...after].sort()]);
      }
  });
});

test.each(namedGroups)('groups in $claim, as $source', async ({ claim, claims, groups }) => {
  const { way, namedIn } = await newWayWithGroups({ groupsClaim: claim });
  const { user, subject } = await newLinked(way);
  expect((await goThrough(new Person(server), way, { sub: subject, ...claims })).at).toBe(
    '/account',
  );
  expect(await namedIn(user.id)).toEqual(groups);
});

test('a trial of a provider shows the groups and the factors that a sign-in would bring', async () => {
  const admin = await newAdmin(server);
  const values = ['finance', '7'] as const;
  const names = values.map((value) => `${value}-${newSub()}`);
  const ids = await Promise.all(
    names.map(async (name) => (await createGroup({ name }, cli, new Date())).id),
  );
  const groups = values.map((value, index) => ({ value, groupId: ids[index] ?? '' }));
  const way = await newWay({ groupsClaim: 'groups', groups, trustsSecondFactor: true });
  const tryWith = async (claims: Record<string, unknown>) => {
    idp.lies = {};
    const there = await admin.open(`/login/with/${way.slug}?for=try`);
    return textOf((await admin.open(idp.answer(there.at, { sub: newSub(), ...claims }))).html);
  };
  for (const { source, claims, groups: expected } of saidIn('trial', saidGroups)) {
    const shown = await tryWith(claims);
    const told = values.filter((_, index) => shown.includes(names[index] ?? ''));
    expect([source, told.sort()]).toEqual([
      source,
      expected === 'as before' ? [] : [...expected].sort(),
    ]);
  }
  for (const { source, amr, mfa } of saidIn('trial', saidFactors))
    expect([source, /amr → mfa\W*(true|false)/.exec(await tryWith({ amr }))?.[1]]).toEqual([
      source,
      String(mfa),
    ]);
}, 120_000);

describe('the time of a sign-in at a provider', () => {
  test.each(saidTimes)('$source', ({ auth_time, ago }) => {
    const now = new Date();
    const at = authTimeSaid({ auth_time: auth_time(seconds()) }, now);
    expect(at && Math.round((seconds() * 1000 - at.getTime()) / 1000)).toBe(ago);
  });

  test('is that of the session here', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    for (const { source, auth_time, ago, noIdToken } of saidTimes) {
      await write('DELETE FROM sessions WHERE user_id = :id', { id: user.id });
      const at = seconds();
      const said = { sub: subject, auth_time: auth_time(at) };
      const page = await goThrough(new Person(server), way, said);
      const row = await (await prisma()).session.findFirst({ where: { userId: user.id } });
      expect([source, row !== null]).toEqual([source, !noIdToken]);
      if (noIdToken) expect(page.at).toMatch(/^\/login/);
      else
        expect([source, row?.provedAt?.getTime()]).toEqual([
          source,
          ago === null ? 0 : (at - ago) * 1000,
        ]);
    }
  });

  test('and its factors are those of an assertion’s token', async () => {
    const way = await newWay({ acceptsAssertions: true, trustsSecondFactor: true });
    const { subject } = await newLinked(way);
    const client = await newClient({ grants: [jwtBearerGrant] });
    const tokenOf = async (told: Record<string, unknown>) => {
      const claims = { aud: server.issuer, client_id: client.id, sub: subject, ...told };
      const sent = { grant_type: jwtBearerGrant, assertion: await idp.assertion(claims) };
      const { body } = await tokenRequest(server, client, sent);
      return introspect(server, client, body.access_token);
    };
    for (const { source, auth_time, ago } of saidTimes) {
      const at = seconds();
      const { active, auth_time: told } = await tokenOf({ auth_time: auth_time(at) });
      expect([source, active, told]).toEqual([source, true, ago === null ? undefined : at - ago]);
    }
    for (const { source, amr, mfa } of saidFactors) {
      const { acr } = await tokenOf({ amr });
      expect([source, acr]).toEqual([source, `urn:gatehouse:${mfa ? 'mfa' : 'single'}`]);
    }
  });
});

describe('a second factor at a provider that is trusted with it', () => {
  test.each(saidFactors)('$source', ({ amr, mfa }) => {
    expect(saysMfa({ amr })).toBe(mfa);
  });

  test('is that of the session here', async () => {
    const way = await newWay({ trustsSecondFactor: true });
    const { user, subject } = await newLinked(way);
    for (const { source, amr, mfa } of saidFactors) {
      await write('DELETE FROM sessions WHERE user_id = :id', { id: user.id });
      await goThrough(new Person(server), way, { sub: subject, amr });
      const row = await (await prisma()).session.findFirst({ where: { userId: user.id } });
      expect([source, row?.amr]).toEqual([source, mfa ? 'fed mfa' : 'fed']);
    }
  });
});

describe('the scopes that a provider gave', () => {
  test.each(saidScopes)('$source', ({ asked, scope, lacking }) => {
    expect(scopesLacking(asked, scope)).toEqual(lacking);
  });

  test('are fewer than asked for: people sign in, and the attempt says so', async () => {
    const way = await newWay({ scopes: ['openid', 'email', 'groups'] });
    const { subject } = await newLinked(way);
    const client = await newClient();
    const person = new Person(server);
    const page = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
    const there = await person.open(`/login/with/${way.slug}${page.at.replace(/^[^?]*/, '')}`);
    idp.lies = { tokens: { scope: 'openid email' } };
    const answer = await person.request(idp.answer(there.at, { sub: subject }));
    expect((await stepOf(answer)).notes).toEqual([
      expect.objectContaining({ rule: 'provider.scope', expected: ['groups'] }),
    ]);
  });
});

/** Every row, each as all that a provider says besides who the person is. */
const saidAtAll: readonly Record<string, unknown>[] = [
  ...saidGroups.map(({ claims }) => claims),
  ...saidNames.map(({ claims }) => claims),
  ...saidFactors.map(({ amr }) => ({ amr })),
  ...saidVerified.map(({ value }) => ({ email: 'ann@example.com', email_verified: value })),
  { email: null },
  { email: ['a@example.org'] },
  { preferred_username: 7 },
  { sid: {} },
];

/** A provider whose groups `finance` and `7` are mapped. */
async function newWayWithGroups(changes: Parameters<typeof newWay>[0] = {}) {
  const values = ['finance', '7'] as const;
  const groups = await Promise.all(
    values.map(async (value) => {
      const { id } = await createGroup({ name: `${value}-${newSub()}` }, cli, new Date());
      return { value, groupId: id };
    }),
  );
  const way = await newWay({ groupsClaim: 'groups', groups, ...changes });
  const namedIn = async (userId: string) => {
    const has = (await groupsOf(userId)).map(({ id }) => id);
    return groups.filter(({ groupId }) => has.includes(groupId)).map(({ value }) => value);
  };
  return { way, namedIn };
}

test('an account is linked whatever the provider says, which changes nothing but the link', async () => {
  const { way, namedIn } = await newWayWithGroups({ trustsSecondFactor: true });
  for (const claims of saidIn('link', saidAtAll)) {
    const { id, username } = await newUser();
    const person = new Person(server, username);
    await person.signIn();
    const there = await begin(person, way, '?for=link');
    const asks = await comeBack(person, there, { sub: newSub(), ...claims });
    expect([claims, asks.at]).toEqual([claims, expect.stringMatching(/^\/login\/link/)]);
    await person.submit(asks, '/login/link/submit');
    expect([claims, (await listIdentities(id)).length]).toEqual([claims, 1]);
    expect(await namedIn(id)).toEqual([]);
    const row = await (await prisma()).session.findFirst({ where: { userId: id } });
    expect([claims, row?.amr]).toEqual([claims, 'pwd']);
  }
});

test('an account that a provider makes has the name and the groups that it says', async () => {
  const { way, namedIn } = await newWayWithGroups({ mayRegister: true });
  const said = [
    ...saidGroups.map(({ claims, groups }) => ({ claims, groups, name: null })),
    ...saidNames.map(({ claims, name }) => ({ claims, groups: [], name: name || null })),
  ];
  for (const { claims, groups, name } of saidIn('account', said)) {
    const username = newName();
    const about = { ...verified(`${username}@example.com`), preferred_username: username };
    const person = new Person(server);
    const page = await goThrough(person, way, { sub: newSub(), ...about, ...claims });
    expect([claims, page.at]).toEqual([claims, expect.stringMatching(/^\/login\/new/)]);
    await person.submit(page, '/login/new/submit');
    const user = await findUserByLogin(username);
    const expected = groups === 'as before' ? [] : groups;
    expect([claims, user?.name, await namedIn(user?.id ?? '')]).toEqual([claims, name, expected]);
  }
});

test('no account is made for an address that a provider does not vouch for', async () => {
  const way = await newWay({ mayRegister: true });
  for (const { source, value, verified: isVerified } of saidVerified) {
    const email = `${newName()}@example.com`;
    const claims = { sub: newSub(), email, email_verified: value };
    const { at } = await goThrough(new Person(server), way, claims);
    expect([source, at.startsWith('/login/new')]).toEqual([source, isVerified]);
  }
});

test.each(saidVerified)('a verified address, as $source', ({ value, verified }) => {
  const claims = { email: 'ann@example.com', email_verified: value };
  expect(verifiedAddressOf('openid', claims)).toBe(verified ? 'ann@example.com' : null);
});

test.each(saidNames)('a name, as $source', ({ claims, name }) => {
  expect(nameSaid(claims)).toBe(name);
});

test('a list is read without what is no text or number', () => {
  expect(listOf([1, 'a', null, undefined, {}, [], true])).toEqual(['1', 'a']);
});
