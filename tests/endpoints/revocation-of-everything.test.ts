import { describe, expect, test } from 'vitest';
import {
  deleteClient,
  disableClient,
  enableClient,
  updateClient,
} from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { deleteUser, disableUser, enableUser, resetPassword } from '#lib/management/user/users.ts';
import { withdrawScope } from '#lib/store/withdrawals.ts';
import { me, redeem, refresh, tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { authorizePath, isSignedIn, newPerson, Person } from '../support/person.ts';
import { newClient, password } from '../support/seed.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const admin = { id: 'cli' };

/** A person with an app that holds everything an app can hold. */
async function settled() {
  const person = await newPerson(server);
  const client = await newClient();
  const first = await tokensOf(server, person, client);
  const second = (await refresh(server, first.refresh_token)).body;
  const third = await tokensOf(server, person, client);
  const code = await person.code({ client_id: client.id, response_type: 'code' });
  return {
    person,
    client,
    code,
    accessTokens: [first.access_token, String(second.access_token), third.access_token],
    /**
     * One that was rotated a moment ago and can still be repeated, its successor, and one never
     * used.
     */
    refreshTokens: [first.refresh_token, String(second.refresh_token), third.refresh_token],
  };
}
type Settled = Awaited<ReturnType<typeof settled>>;

async function expectDead(
  { client, code, accessTokens, refreshTokens }: Settled,
  clientGone = false,
): Promise<void> {
  for (const token of accessTokens) expect((await me(server, token)).status).toBe(401);
  for (const token of refreshTokens)
    expect([400, 401]).toContain((await refresh(server, token)).status);
  const { status, body } = await redeem(server, client, code);
  expect([status, body.error]).toEqual(
    clientGone ? [401, 'invalid_client'] : [400, 'invalid_grant'],
  );
}

async function expectAlive({ accessTokens, refreshTokens, client, code }: Settled): Promise<void> {
  for (const token of accessTokens) expect((await me(server, token)).status).toBe(200);
  expect((await refresh(server, refreshTokens[0] ?? '')).status).toBe(200);
  expect((await redeem(server, client, code)).status).toBe(200);
}

const removeApp = async ({ person, client }: Settled) => {
  const page = await person.open('/account/apps');
  await person.submit(page, '/account/apps/submit', { client_id: client.id });
};

type Cause = [
  string,
  (had: Settled) => Promise<unknown>,
  { clientGone?: boolean; signedOut?: boolean },
];
const causes: Cause[] = [
  [
    'the person is disabled',
    ({ person }) => disableUser(person.username, admin, new Date()),
    { signedOut: true },
  ],
  [
    'the person is deleted',
    ({ person }) => deleteUser(person.username, admin, new Date()),
    { signedOut: true },
  ],
  [
    'their password is reset',
    ({ person }) => resetPassword(person.username, 'another password', admin, new Date()),
    { signedOut: true },
  ],
  [
    'the client is disabled',
    ({ client }) => disableClient(client.id, admin, new Date()),
    { clientGone: true },
  ],
  [
    'the client is deleted',
    ({ client }) => deleteClient(client.id, admin, new Date()),
    { clientGone: true },
  ],
  [
    'a scope is taken from the client',
    ({ client }) =>
      updateClient(client.id, { scopes: ['email'] }, { actor: admin, now: new Date() }),
    {},
  ],
  ['the person removes the app', removeApp, {}],
  [
    'an admin revokes the consent',
    ({ person, client }) =>
      revokeGrants({ user: person.username, client: client.id }, admin, new Date()),
    {},
  ],
];

describe.each(causes)(
  'when %s (section 4)',
  (_, cause, { clientGone = false, signedOut = false }) => {
    test('codes, refresh tokens, repeats and access tokens stop working immediately', async () => {
      const had = await settled();
      await cause(had);
      await expectDead(had, clientGone);
      expect(await isSignedIn(had.person)).toBe(!signedOut);
    });

    alike('codes and tokens of another user and client keep working', async () => {
      const had = await settled();
      const neighbour = await settled();
      await cause(had);
      await expectAlive(neighbour);
    });
  },
);

describe('ended tokens stay ended', () => {
  test('when the user is enabled again', async () => {
    const had = await settled();
    await disableUser(had.person.username, admin, new Date());
    await enableUser(had.person.username, admin, new Date());
    await expectDead(had);
    expect(await isSignedIn(had.person)).toBe(false);
    await had.person.signIn();
    expect(await isSignedIn(had.person)).toBe(true);
  });

  test('when the client is enabled again', async () => {
    const had = await settled();
    await disableClient(had.client.id, admin, new Date());
    await enableClient(had.client.id, admin, new Date());
    await expectDead(had);
    await tokensOf(server, had.person, had.client);
  });

  test('and a removed app needs consent again', async () => {
    const had = await settled();
    await removeApp(had);
    expect(
      (await had.person.open(authorizePath({ client_id: had.client.id, response_type: 'code' })))
        .at,
    ).toMatch('/consent');
  });
});

describe('withdrawing one scope', () => {
  test('ends the tokens and codes that carry it, and only those', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const withIt = await tokensOf(server, person, client, { scope: 'profile address' });
    const without = await tokensOf(server, person, client, { scope: 'profile' });
    const code = await person.code({
      client_id: client.id,
      response_type: 'code',
      scope: 'address',
    });
    await withdrawScope(person.user.id, client.id, 'address', new Date());
    expect((await me(server, withIt.access_token)).status).toBe(401);
    expect((await refresh(server, withIt.refresh_token)).body.error).toBe('invalid_grant');
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
    expect((await me(server, without.access_token)).status).toBe(200);
    expect((await refresh(server, without.refresh_token)).status).toBe(200);
    const ask = (scope: string) =>
      person.open(authorizePath({ client_id: client.id, response_type: 'code', scope }));
    expect((await ask('profile')).at).toMatch('code=');
    expect((await ask('address')).at).toMatch('/consent');
  });
});

describe('changing one’s own password', () => {
  const change = async (had: Settled, filled: Record<string, string> = {}) => {
    const fields = { confirm_password: password, new_password: 'a new pass phrase', ...filled };
    const page = await had.person.open('/account/sign-in');
    return had.person.submit(page, '/account/password/submit', fields);
  };

  test('ends the user’s other sessions, not this one, and no tokens', async () => {
    const had = await settled();
    const elsewhere = new Person(server, had.person.username);
    await elsewhere.signIn();
    expect(textOf((await change(had)).html)).toMatch(/password changed/i);
    expect([await isSignedIn(had.person), await isSignedIn(elsewhere)]).toEqual([true, false]);
    await expectAlive(had);
  });

  test('ends the tokens of apps if the user ticks the box', async () => {
    const had = await settled();
    await change(had, { end_app_tokens: 'on' });
    await expectDead(had);
  });

  test('makes the new password the only one that signs in', async () => {
    const had = await settled();
    await change(had);
    const again = new Person(server, had.person.username);
    expect((await again.signIn()).at).toBe('/login');
    expect((await again.signIn(undefined, 'a new pass phrase')).at).toBe('/account');
  });

  alike.each<[string, Record<string, string>]>([
    ['the current one is wrong', { confirm_password: 'wrong' }],
    ['the new one is too short', { new_password: 'q7Zr!x' }],
    ['the new one is too long', { new_password: 'x'.repeat(1025) }],
    ['the new one is the current one', { new_password: password }],
  ])('is refused where %s', async (_, filled) => {
    const had = await settled();
    const page = await change(had, filled);
    expect(page.at).toBe('/account/sign-in');
    expect(page.html).not.toContain(filled.new_password ?? 'a new pass phrase');
    expect((await new Person(server, had.person.username).signIn()).at).toBe('/account');
  });

  alike(
    'is refused for a while after ten wrong current passwords; sign-in still works',
    async () => {
      const had = await settled();
      for (let times = 0; times < 10; times += 1) await change(had, { confirm_password: 'wrong' });
      expect(textOf((await change(had)).html)).toMatch(/too many/i);
      expect((await new Person(server, had.person.username).signIn()).at).toBe('/account');
    },
  );
});

describe('an authorization request on the consent page', () => {
  test('is refused once the client is disabled', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const page = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
    await disableClient(client.id, admin, new Date());
    const after = await person.decide(page, 'allow');
    expect([after.status, after.headers.get('location')]).toEqual([400, null]);
  });

  test('goes back to sign-in once the user is disabled', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const page = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
    await disableUser(person.username, admin, new Date());
    expect((await person.decide(page, 'allow')).at).toMatch('/login?flow=');
  });
});
