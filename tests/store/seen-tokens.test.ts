import { expect, test } from 'vitest';
import { keyInUse, tokenKeysAt } from '#lib/identity/token-keys.ts';
import { findAccessToken } from '#lib/identity/tokens.ts';
import { makeToken } from '#lib/oauth/tokens.ts';
import { revokeAccessToken } from '#lib/store/access-tokens.ts';
import { revokeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { database, write } from '#lib/store/engine/database.ts';
import { Gathered } from '#lib/store/engine/gathered.ts';
import { raiseRevision, readRevision } from '#lib/store/engine/revision.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const live = { idle: 3600, absolute: 3600, access: 3600 };

/** The access token of a new user's authorization, and the user and client. */
async function newToken() {
  const user = await newUser();
  const client = await newClient();
  const given = { scopes: ['profile'], remembered: ['profile'] };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, null, given, now);
  const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
  const id = await store({ userId: user.id, clientId: client.id, grantId, clientEpoch }, now);
  await redeem(id, live, now);
  const expiresAt = new Date(now.getTime() + 600_000);
  const said = {
    kind: 'accessToken',
    id,
    counter: 0,
    expiresAt,
    life: 600,
    detail: '',
    jkt: null,
  } as const;
  const text = makeToken(said, keyInUse(await tokenKeysAt(await readRevision()), now));
  return { id, user, text, expiresAt };
}

const look = async ({ text }: { text: string }) => (await findAccessToken(text, now)).token;

onEachDatabase(() => {
  test('access tokens presented at the same time are each checked for themselves', async () => {
    const tokens = await Promise.all(Array.from({ length: 12 }, newToken));
    const before = await Promise.all(tokens.map(look));
    expect(before.map((token) => token?.user?.id)).toEqual(tokens.map(({ user }) => user.id));
    const [first, second, third, fourth] = tokens;
    if (!first || !second || !third || !fourth) throw new Error('There are twelve.');
    await revokeAuthorization(first.id, now);
    await revokeAccessToken(
      second.text,
      { authorizationId: second.id, expiresAt: second.expiresAt },
      now,
    );
    const changing = `UPDATE users SET name = 'New', updated_at = $2 WHERE id = $1`;
    await write(changing, [third.user.id, new Date(now.getTime() + 5000)]);
    await write('UPDATE users SET epoch = epoch + 1 WHERE id = $1', [fourth.user.id]);
    const after = await Promise.all(tokens.map(look));
    expect([after[0], after[1], after[3]]).toEqual([null, null, null]);
    expect(after[2]?.user?.name).toBe('New');
    expect(after.slice(4)).toEqual(before.slice(4));
    expect(after.slice(4).every((token, index) => token === before[index + 4])).toBe(true);
  });

  test('access tokens presented at the same time see a change of clients or settings', async () => {
    const tokens = await Promise.all(Array.from({ length: 3 }, newToken));
    const before = await Promise.all(tokens.map(look));
    await raiseRevision();
    const after = await Promise.all(tokens.map(look));
    expect(after).toEqual(before);
    expect(after.some((token, index) => token === before[index])).toBe(false);
  });

  test('PostgreSQL checks access tokens presented at the same time in one statement', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, newToken));
    await Promise.all(tokens.map(look));
    const db = database();
    if (db.kind === 'sqlite') return;
    const run = db.read.bind(db);
    let statements = 0;
    db.read = (sql, params) => {
      statements += 1;
      return run(sql, params);
    };
    await Promise.all(tokens.map(look));
    Reflect.deleteProperty(db, 'read');
    expect(statements).toBe(1);
  });
});

test('questions gathered in one turn are asked together, at most 200 at a time', async () => {
  const asked: number[] = [];
  const squares = new Gathered<number, number>(async (questions) => {
    asked.push(questions.length);
    return questions.map((question) => question ** 2);
  });
  const numbers = Array.from({ length: 450 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => squares.ask(number)));
  expect(answers).toEqual(numbers.map((number) => number ** 2));
  expect(asked).toEqual([200, 200, 50]);
  expect(await squares.ask(3)).toBe(9);
});

test('when gathered questions fail, each caller gets the error, and the next question is asked again', async () => {
  let fails = true;
  const gathered = new Gathered<string, string>(async (questions) => {
    if (fails) throw new Error('away');
    return questions;
  });
  const answers = await Promise.allSettled([gathered.ask('a'), gathered.ask('b')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await gathered.ask('c')).toBe('c');
});
