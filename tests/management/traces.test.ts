import { beforeEach, describe, expect, test } from 'vitest';
import { disableClient, showClient, updateClient } from '#lib/management/clients.ts';
import { createScope } from '#lib/management/scopes.ts';
import { listTraces, mend, mendFor, showTrace, traceOfRequest } from '#lib/management/traces.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { read } from '#lib/store/database.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient } from '../support/seed.ts';

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
      ...{ strange: false, refusal, detail: {} },
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
});

beforeEach(() => writeTraces());
