import { beforeEach, describe, expect, test } from 'vitest';
import { disableClient, showClient, updateClient } from '#lib/management/clients.ts';
import { createScope } from '#lib/management/scopes.ts';
import { hintsFor } from '#lib/management/trace-hints.ts';
import { listTraces, mend, mendFor, showTrace, traceOfRequest } from '#lib/management/traces.ts';
import { updateUser } from '#lib/management/user-profile.ts';
import { showUser } from '#lib/management/users.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { mayUse } from '#lib/store/access.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const actor = { id: 'cli', address: null, requestId: null };
const allowed = () => {};

/** Records a refused request of a client, and gives its attempt and request. */
async function refused(clientId: string, rule: Rule, received: string | null, expected: string[]) {
  const [attempt, requestId] = [newId(now), newId(now)];
  const refusal = { code: 'invalid_request', rule, reason: 'Refused.', received, expected };
  recordTrace(
    {
      ...{ attempt, requestId, step: 'authorize', outcome: 'refused', clientId, userId: null },
      ...{ behind: 'app', refusal },
    },
    now,
  );
  await writeTraces();
  return { attempt, requestId };
}

const offered = async (clientId: string, { attempt }: { attempt: string }) => {
  const [step] = (await showTrace(attempt)).steps;
  return step ? mendFor(step, await showClient(clientId)) : null;
};

onEachDatabase(() => {
  describe('an attempt', () => {
    test('is found by the id of its request, and listed with its client', async () => {
      const client = await newClient();
      const trace = await refused(client.id, 'pkce.method', 'plain', ['S256']);
      expect(await traceOfRequest(trace.requestId)).toBe(trace.attempt);
      expect(await traceOfRequest('no-such-request')).toBeNull();
      const { rows } = await listTraces({ clientId: client.id });
      expect(rows).toMatchObject([{ id: trace.attempt, clientId: client.id, failed: true }]);
    });

    test('that is no longer kept is refused with a sentence', async () => {
      await expect(showTrace('gone')).rejects.toThrow('This attempt is no longer kept.');
    });
  });

  describe('one click mends', () => {
    test('a redirect URI that is not registered, once, with an event that names the attempt', async () => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      const uri = 'https://app.example/cb';
      const trace = await refused(client.id, 'redirect-uri.unregistered', uri, [
        'https://app.example/callback',
      ]);
      expect(await offered(client.id, trace)).toEqual({ kind: 'redirect-uri', value: uri });
      await mend(trace.attempt, trace.requestId, actor, now, allowed);
      expect((await showClient(client.id)).redirectUris).toEqual([
        'https://app.example/callback',
        uri,
      ]);
      const events = await read(
        "SELECT detail FROM audit_events WHERE client_id = $1 AND type = 'trace.mended'",
        [client.id],
      );
      expect(events.map(({ detail }) => JSON.parse(String(detail)))).toEqual([
        { kind: 'redirect-uri', value: uri, attempt: trace.attempt, request: trace.requestId },
      ]);
      await expect(mend(trace.attempt, trace.requestId, actor, now, allowed)).rejects.toThrow(
        'There is nothing left to change',
      );
    });

    test('a scope, without taking any other away', async () => {
      await createScope({ name: 'ledger', description: 'Read', sensitive: true }, actor, now);
      const client = await newClient({ scopes: null });
      const trace = await refused(client.id, 'scope.not-allowed', 'ledger', []);
      await mend(trace.attempt, trace.requestId, actor, now, allowed);
      const { scopes } = await showClient(client.id);
      expect(scopes).toContain('ledger');
      expect(scopes).toContain('email');
    });

    test('a grant type, PKCE and a disabled app', async () => {
      const client = await newClient({ grants: ['authorization_code'] });
      const grant = await refused(client.id, 'grant-type.not-allowed', 'refresh_token', []);
      await mend(grant.attempt, grant.requestId, actor, now, allowed);
      expect((await showClient(client.id)).grants).toEqual(['authorization_code', 'refresh_token']);

      await updateClient(client.id, { requirePkce: true }, actor, now);
      const pkce = await refused(client.id, 'pkce.required', null, ['code_challenge']);
      await mend(pkce.attempt, pkce.requestId, actor, now, allowed);
      expect((await showClient(client.id)).requirePkce).toBe(false);

      await disableClient(client.id, actor, now);
      const disabled = await refused(client.id, 'client.disabled', client.id, []);
      await mend(disabled.attempt, disabled.requestId, actor, now, allowed);
      expect((await showClient(client.id)).disabledAt).toBeNull();
    });

    test('nothing where a fresh sign-in is missing', async () => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      const trace = await refused(client.id, 'redirect-uri.unregistered', 'https://b.example/', []);
      const stale = () => {
        throw new Error('sign in again');
      };
      await expect(mend(trace.attempt, trace.requestId, actor, now, stale)).rejects.toThrow(
        'sign in again',
      );
      expect((await showClient(client.id)).redirectUris).toEqual(['https://app.example/callback']);
      await disableClient(client.id, actor, now);
      const disabled = await refused(client.id, 'client.disabled', client.id, []);
      await expect(mend(disabled.attempt, disabled.requestId, actor, now, stale)).rejects.toThrow(
        'sign in again',
      );
      expect((await showClient(client.id)).disabledAt).not.toBeNull();
    });
  });

  test('a redirect URI at a host of no registered one says so', async () => {
    const client = await newClient({ redirectUris: ['https://app.example/callback'] });
    const uri = 'https://app.example.evil.test/callback';
    const trace = await refused(client.id, 'redirect-uri.unregistered', uri, []);
    expect(await offered(client.id, trace)).toEqual({
      kind: 'redirect-uri',
      value: uri,
      newHost: 'app.example.evil.test',
    });
  });

  test.each<[string, Rule, string | null]>([
    ['an address that the rules refuse', 'redirect-uri.unregistered', 'javascript:alert(1)'],
    ['plain http on another device', 'redirect-uri.unregistered', 'http://app.example/cb'],
    [
      'a masked address',
      'redirect-uri.unregistered',
      'https://a.example/?t=[masked: 43 characters]',
    ],
    ['a cut address', 'redirect-uri.unregistered', 'https://app.example/a…'],
    ['an address that is missing', 'redirect-uri.unregistered', null],
    ['a scope that nobody made', 'scope.not-allowed', 'no-such-scope'],
    ['a grant type that nobody knows', 'grant-type.not-allowed', 'password'],
    ['a wrong secret', 'client-auth.wrong-secret', 'a secret of 40 characters (masked)'],
    ['a used code', 'code.used', null],
  ])('no mend is offered for %s', async (_, rule, received) => {
    const client = await newClient({ redirectUris: ['https://app.example/callback'] });
    expect(await offered(client.id, await refused(client.id, rule, received, []))).toBeNull();
  });

  test('PKCE of a public app is never given up', async () => {
    const client = await newClient({ type: 'public', redirectUris: ['https://app.example/cb'] });
    const trace = await refused(client.id, 'pkce.required', null, ['code_challenge']);
    expect(await offered(client.id, trace)).toBeNull();
  });

  describe('where nothing was refused', () => {
    const long = new Date(now.getTime() - 10 * 60_000);

    async function attempt(
      clientId: string,
      userId: string | null,
      step: 'consent' | 'userinfo',
      scope = 'profile',
    ) {
      const person = userId ?? (await newUser()).id;
      const given = { scopes: [scope], remembered: [scope] };
      const grantId = await widenGrantOf(person, clientId, null, given, long);
      const clientEpoch = (await findClient(clientId))?.epoch ?? 0;
      const id = await store({ userId: person, clientId, grantId, clientEpoch, scope }, now);
      const request = {
        attempt: id,
        requestId: newId(now),
        clientId,
        userId,
        behind: 'app',
      } as const;
      recordTrace({ ...request, step, outcome: 'done', refusal: null }, long);
      await writeTraces();
      return { id, requestId: request.requestId };
    }
    const hints = async (clientId: string, id: string) =>
      hintsFor(await showTrace(id), await showClient(clientId), now);

    test('a code that is never redeemed, and another attempt after it, hint at iss', async () => {
      const client = await newClient();
      const first = await attempt(client.id, null, 'consent');
      expect(await hints(client.id, first.id)).toEqual([]);
      const again = { attempt: newId(now), requestId: newId(now), clientId: client.id };
      recordTrace(
        {
          ...again,
          step: 'authorize',
          outcome: 'sign-in',
          userId: null,
          behind: 'app',
          refusal: null,
        },
        now,
      );
      await writeTraces();
      const hint = { kind: 'iss', value: '', requestId: first.requestId };
      expect(await hints(client.id, first.id)).toEqual([hint]);
      const refuse = () => {
        throw new Error('A fresh sign-in is needed.');
      };
      await expect(mend(first.id, first.requestId, actor, now, refuse)).rejects.toThrow('fresh');
      expect((await showClient(client.id)).sendIss).toBe(true);
      await mend(first.id, first.requestId, actor, now, allowed);
      expect((await showClient(client.id)).sendIss).toBe(false);
      expect(await hints(client.id, first.id)).toEqual([]);
      const redeemed = await attempt(client.id, null, 'consent');
      await updateClient(client.id, { sendIss: true }, actor, now);
      await redeem(redeemed.id, { idle: 60, absolute: 60, access: 60 }, now);
      expect(await hints(client.id, redeemed.id)).toEqual([]);
    });

    test('an app that was told of an unconfirmed address: it can be marked as confirmed', async () => {
      const [client, user] = [await newClient(), await newUser()];
      await updateUser(user.id, { emailVerified: false }, actor, now);
      const silent = await attempt(client.id, user.id, 'userinfo');
      expect(await hints(client.id, silent.id)).toEqual([]);
      const told = await attempt(client.id, (await newUser()).id, 'userinfo', 'email');
      expect((await hints(client.id, told.id)).length).toBeLessThanOrEqual(1);
      const { userId } = await showTrace(told.id);
      await updateUser(userId ?? '', { emailVerified: false }, actor, now);
      expect(await hints(client.id, told.id)).toMatchObject([{ kind: 'email' }]);
      const refuse = () => {
        throw new Error('A fresh sign-in is needed.');
      };
      await expect(mend(told.id, told.requestId, actor, now, refuse)).rejects.toThrow('fresh');
      await mend(told.id, told.requestId, actor, now, allowed);
      expect((await showUser(userId ?? '')).emailVerified).toBe(true);
      await expect(mend(told.id, told.requestId, actor, now, allowed)).rejects.toThrow(
        'nothing left',
      );
    });
  });

  test('somebody who was turned away is let in with one click, with a fresh sign-in', async () => {
    const [user, client] = [await newUser(), await newClient({ access: 'listed' })];
    const [attempt, requestId] = [newId(now), newId(now)];
    const refusal = { code: 'access_denied', rule: 'access.not-listed', reason: 'No.' } as const;
    recordTrace(
      {
        ...{ attempt, requestId, step: 'authorize', outcome: 'refused', clientId: client.id },
        ...{ userId: user.id, behind: 'app' },
        refusal: { ...refusal, received: null, expected: [] },
      },
      now,
    );
    await writeTraces();
    const hints = async () => hintsFor(await showTrace(attempt), await showClient(client.id), now);
    expect(await hints()).toEqual([{ kind: 'access', value: user.username, requestId }]);
    const stale = () => {
      throw new Error('fresh');
    };
    await expect(mend(attempt, requestId, actor, now, stale)).rejects.toThrow('fresh');
    expect(await mayUse(user.id, { id: client.id, access: 'listed' })).toBe(false);
    await mend(attempt, requestId, actor, now, allowed);
    expect(await mayUse(user.id, { id: client.id, access: 'listed' })).toBe(true);
    expect(await hints()).toEqual([]);
  });
});

beforeEach(() => writeTraces());
