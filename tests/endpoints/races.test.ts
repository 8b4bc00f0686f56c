import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { nothingKnown } from '#lib/http/message.ts';
import { serve } from '#lib/http/serve.ts';
import { newSetUpLink } from '#lib/identity/set-up.ts';
import { deleteClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { races } from '../lanes.ts';
import { type Answer, me, redeem, refresh, tokensOf } from '../support/app.ts';
import { startsEmpty } from '../support/database.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { authorizationOf, readToken } from '../support/tokens.ts';

const server = await openServer({});
// Several server processes on one database. In one of them refresh tokens do not rotate.
const [second, still] = await Promise.all([
  server.secondProcess(),
  server.another({ ALWAYS_ISSUE_NEW_REFRESH_TOKEN: 'off' }),
]);
const either = (index: number) => (index % 2 === 0 ? server : second);

/**
 * Next.js answers twenty times slower and shares the store with the direct server, so fewer rounds
 * are enough.
 */
const rounds = races(server.mount === 'next' ? 5 : 50);
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const eachRound = async (count: number, round: () => Promise<void>) => {
  for (let each = 0; each < count; each += 1) await round();
};
const isOk = ({ status }: Answer) => status === 200;

test.runIf(startsEmpty)(
  'of four set-up forms sent at the same time one creates the admin',
  async () => {
    const links = await times(2, () => newSetUpLink(new Date()));
    const linkOf = (index: number) => new URL(links[index % 2] ?? '').search;
    const posts = await times(4, async (index) => {
      const person = new Person(either(index));
      const page = await person.open(`/setup${linkOf(index)}`);
      const name = `admin-${index}`;
      const filled = {
        username: name,
        email: `${name}@example.com`,
        name,
        password: 'an unusual pass phrase',
      };
      return { person, ...person.postOf(page, '/setup/submit', filled) };
    });
    const answers = await Promise.all(
      posts.map(({ person, body, headers }) =>
        person.request('/setup/submit', { method: 'POST', body, headers }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(303));
    expect(
      answers.filter((answer) => answer.headers.get('location') === '/admin/set-up'),
    ).toHaveLength(1);
    expect(await (await prisma()).user.count({ where: { isAdmin: true } })).toBe(1);
    expect(await (await prisma()).user.count()).toBe(1);
    expect((await new Person(second).open(`/setup${linkOf(0)}`)).forms).toEqual([]);
  },
);

test('of 20 parallel redemptions of one code one succeeds, and the repetitions end its tokens', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await eachRound(rounds, async () => {
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    const answers = await times(20, (index) => redeem(either(index), client, code));
    const [winner, ...others] = answers.filter(isOk);
    expect(others).toEqual([]);
    const losers = answers.filter((answer) => !isOk(answer));
    expect(losers.map(({ status, body }) => [status, body.error])).toEqual(
      Array(19).fill([400, 'invalid_grant']),
    );
    expect((await me(second, String(winner?.body.access_token))).status).toBe(401);
    expect((await refresh(server, String(winner?.body.refresh_token))).body.error).toBe(
      'invalid_grant',
    );
  });
});

test('of 20 parallel refreshes of one token all successes have the same successor, which works', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await eachRound(rounds, async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    const answers = await times(20, (index) => refresh(either(index), refresh_token));
    const successors = new Set(answers.filter(isOk).map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    expect(new Set(answers.filter(isOk).map(({ body }) => body.access_token)).size).toBe(1);
    for (const { status, body } of answers)
      expect([status, body.error]).toEqual(
        status === 200 ? [200, undefined] : [400, 'invalid_grant'],
      );
    const { rotation, revokedAt } = await authorizationOf(refresh_token);
    const [successor] = await Promise.all([...successors].map((token) => readToken(String(token))));
    expect([rotation, revokedAt, successor?.counter]).toEqual([1, null, 1]);
    expect((await refresh(second, String([...successors][0]))).status).toBe(200);
  });
});

test('20 parallel refreshes after the successor was used all fail, and the family ends', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await eachRound(5, async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    const next = String((await refresh(server, refresh_token)).body.refresh_token);
    const last = (await refresh(second, next)).body;
    const answers = await times(20, (index) => refresh(either(index), refresh_token));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400));
    expect((await refresh(server, String(last.refresh_token))).body.error).toBe('invalid_grant');
    expect((await me(second, String(last.access_token))).status).toBe(401);
  });
});

describe('ending access while tokens are being issued', () => {
  const ends: [string, (person: Person, clientId: string) => Promise<unknown>][] = [
    [
      'access is removed',
      async (person, client) =>
        revokeGrants({ user: person.username, client }, { id: 'cli' }, new Date()),
    ],
    ['the person is disabled', (person) => disableUser(person.username, { id: 'cli' }, new Date())],
    ['the client is deleted', (_, client) => deleteClient(client, { id: 'cli' }, new Date())],
  ];

  test.each(ends)('refreshes while %s leave no token that works', async (_, end) => {
    await eachRound(rounds / 5, async () => {
      const person = await newPerson(server);
      const client = await newClient();
      const rotating = await tokensOf(server, person, client);
      const staying = await tokensOf(server, person, client);
      const [answers] = await Promise.all([
        times(20, (index) =>
          index % 4 === 3
            ? refresh(still, staying.refresh_token)
            : refresh(either(index), rotating.refresh_token),
        ),
        end(person, client.id),
      ]);
      for (const { status, body } of answers) {
        expect([undefined, 'invalid_grant', 'invalid_client']).toContain(body.error);
        if (status !== 200) continue;
        expect((await me(server, String(body.access_token))).status).toBe(401);
        if (body.refresh_token)
          expect((await refresh(server, String(body.refresh_token))).status).toBe(400);
      }
      expect((await refresh(still, staying.refresh_token)).status).toBe(400);
    });
  });

  test.each(ends)('redemptions of codes while %s leave no token that works', async (_, end) => {
    await eachRound(rounds / 5, async () => {
      const person = await newPerson(server);
      const client = await newClient();
      const codes: string[] = [];
      for (let each = 0; each < 6; each += 1)
        codes.push(await person.code({ client_id: client.id, response_type: 'code' }));
      const [answers] = await Promise.all([
        times(6, (index) => redeem(either(index), client, codes[index] ?? '')),
        end(person, client.id),
      ]);
      for (const { status, body } of answers) {
        expect([undefined, 'invalid_grant', 'invalid_client']).toContain(body.error);
        if (status === 200) expect((await me(server, String(body.access_token))).status).toBe(401);
      }
    });
  });

  test.each(ends)('a consent while %s does not fail with a server error', async (_, end) => {
    await eachRound(3, async () => {
      const person = await newPerson(server);
      const client = await newClient();
      const page = await person.open(
        authorizePath({ client_id: client.id, response_type: 'code', prompt: 'consent' }),
      );
      const [after] = await Promise.all([person.decide(page, 'allow'), end(person, client.id)]);
      expect([200, 303, 400]).toContain(after.status);
    });
  });
});

test('30 parallel password guesses count at most ten, and the right password is refused after them', async () => {
  const user = await newUser();
  const guesses = await times(30, async (index) => {
    const person = new Person(either(index), user.username);
    return {
      person,
      ...person.postOf(await person.open('/login'), '/login/submit', {
        username: user.username,
        password: `guess ${index}`,
      }),
    };
  });
  await Promise.all(
    guesses.map(({ person, body, headers }) =>
      person.request('/login/submit', { method: 'POST', body, headers }),
    ),
  );
  const events = await (await prisma()).auditEvent.groupBy({
    by: ['type'],
    where: { userId: user.id },
    _count: true,
  });
  const counts = Object.fromEntries(events.map(({ type, _count }) => [type, _count]));
  expect(counts).toEqual({ 'sign-in.failure': 10, 'sign-in.throttled': expect.any(Number) });
  expect((await new Person(second).signIn(user.username, password)).at).toBe('/login');
});

test('one consent form posted ten times at two servers at the same time gives one code', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  await eachRound(5, async () => {
    const page = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', prompt: 'consent' }),
    );
    const { body } = person.postOf(page, '/consent/submit', { decision: 'allow' });
    const answers = await times(10, async (index) => {
      const where = either(index);
      const headers = {
        Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      return fetch(`${where.base}/consent/submit`, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
      });
    });
    const places = new Set(answers.map((answer) => answer.headers.get('location')));
    expect([...places]).toEqual([expect.stringContaining('code=')]);
  });
});

test('20 parallel decisions on one request at two servers are answered as allowed or denied, not both', async () => {
  const person = await newPerson(server);
  await eachRound(races(12), async () => {
    const client = await newClient();
    const page = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', prompt: 'consent' }),
    );
    const answers = await times(20, async (index) => {
      const decision = Math.floor(index / 2) % 2 === 0 ? 'allow' : 'deny';
      const { body } = person.postOf(page, '/consent/submit', { decision });
      const headers = {
        Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
      const answer = await fetch(`${either(index).base}/consent/submit`, init);
      return answer.headers.get('location') ?? '';
    });
    const codes = answers.filter((at) => at.includes('code='));
    const denials = answers.filter((at) => at.includes('error=access_denied'));
    expect(new Set(codes).size).toBeLessThanOrEqual(1);
    expect(codes.length === 0 || denials.length === 0, answers.join('\n')).toBe(true);
  });
});

describe('a write transaction that is held', () => {
  test('of another process does not block reads, and writes wait for it', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const { access_token, refresh_token } = await tokensOf(server, person, client);
    const holder = fork(new URL('../support/hold-transaction.ts', import.meta.url), [
      server.databaseUrl,
    ]);
    const ended = once(holder, 'exit');
    await once(holder, 'message');
    const waiting = refresh(server, refresh_token);
    for (let each = 0; each < 20; each += 1)
      expect((await me(server, access_token)).status).toBe(200);
    holder.send('let go');
    expect((await waiting).status).toBe(200);
    await ended;
  });

  test('of the same process does not block it', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const { access_token, refresh_token } = await tokensOf(server, person, client);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: holding } = Promise.withResolvers<void>();
    const transaction = (await prisma()).$transaction(async (tx) => {
      await tx.user.update({ where: { id: person.user.id }, data: { name: 'in the making' } });
      holding();
      await released;
    });
    await held;
    const waiting = here(
      'POST',
      '/oauth/token',
      `grant_type=refresh_token&refresh_token=${refresh_token}`,
    );
    for (let each = 0; each < 20; each += 1)
      expect((await here('GET', '/oauth/me', '', access_token)).status).toBe(200);
    release();
    await transaction;
    expect((await waiting).status).toBe(200);
  });

  /** Calls an endpoint within this process. */
  async function here(method: string, path: string, body: string, token?: string) {
    const headers: Record<string, string | undefined> = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: token && `Bearer ${token}`,
    };
    const target = findTarget(path, '');
    if (!target) throw new Error(`Nothing answers at ${path}.`);
    const request = {
      method,
      path,
      query: '',
      address: 'test',
      isShared: true,
      id: 'test',
      header: (name: string) => headers[name],
      repeatsAuthorization: () => false,
      about: nothingKnown(),
      body: async () => Buffer.from(body),
    };
    return serve(target.mount, request, new Date());
  }
});
