import { beforeEach, describe, expect, test } from 'vitest';
import { offerOf } from '#app/admin/traces/offer.ts';
import { reasonChoices } from '#app/admin/traces/reasons.ts';
import { happenedIn } from '#app/ui/attempts/happened.ts';
import { fix as fixBy } from '#lib/management/attempt/fix.ts';
import { fixCommands } from '#lib/management/attempt/fix-commands.ts';
import { clientMeant } from '#lib/management/attempt/meant-client.ts';
import { type Fix, fixesOf, fixFor } from '#lib/management/attempt/trace-fixes.ts';
import { hintsFor } from '#lib/management/attempt/trace-hints.ts';
import {
  countReasons,
  listTraces,
  showTrace,
  traceOfRequest,
} from '#lib/management/attempt/traces.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { disableClient, showClient, updateClient } from '#lib/management/client/clients.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { showUser } from '#lib/management/user/users.ts';
import { textIn } from '#lib/messages/text.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { mayUse } from '#lib/store/access.ts';
import { findClient } from '#lib/store/clients.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { type Behind, behinds } from '#lib/store/trace-rings.ts';
import {
  recordTrace,
  type TracedNote,
  type TraceOutcome,
  type TraceStepName,
  writeTraces,
} from '#lib/store/traces.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const actor = { id: 'cli', address: null, requestId: null };
const allowed = () => {};
type Request = { attempt: string; requestId: string };
const fix = ({ attempt, requestId }: Request, onLoosening = allowed, typed = '') =>
  fixBy(attempt, requestId, typed, { actor, now, onLoosening });

/** Records a refused request of a client, and returns the ids of its attempt and request. */
async function refused(
  clientId: string,
  rule: Rule,
  received: string | null,
  expected: string[] = [],
  behind: Behind = 'app',
) {
  const [attempt, requestId] = [newId(now), newId(now)];
  const refusal = { code: 'invalid_request', rule, reason: 'Refused.', received, expected };
  recordTrace(
    {
      attempt,
      requestId,
      step: 'authorize',
      outcome: 'refused',
      clientId,
      userId: null,
      behind,
      refusal,
    },
    now,
  );
  await writeTraces();
  return { attempt, requestId };
}

const offered = async (clientId: string, { attempt }: { attempt: string }) => {
  const [step] = (await showTrace(attempt)).steps;
  return step ? fixFor(step, await showClient(clientId), null) : null;
};

onEachDatabase(() => {
  describe('a sign-in attempt', () => {
    test('is found by the id of its request, and listed by its client', async () => {
      const client = await newClient();
      const trace = await refused(client.id, 'pkce.method', 'plain', ['S256']);
      expect(await traceOfRequest(trace.requestId)).toBe(trace.attempt);
      expect(await traceOfRequest('no-such-request')).toBeNull();
      const { rows } = await listTraces({ clientId: client.id });
      expect(rows).toMatchObject([{ id: trace.attempt, clientId: client.id, failed: true }]);
    });

    test('that is no longer kept is refused with a sentence', async () => {
      await expect(showTrace('gone')).rejects.toThrow(
        'There is no such attempt, or it is no longer kept.',
      );
    });
  });

  describe('the list of attempts', () => {
    type Done = readonly [step: TraceStepName, outcome?: TraceOutcome];

    async function attemptOf(clientId: string, requests: readonly Done[], rule?: Rule) {
      const attempt = newId(now);
      const [refusal, of] = [
        rule && { code: null, rule, reason: 'No.', received: null, expected: [] },
        { attempt, clientId, userId: null, behind: 'app' } as const,
      ];
      for (const [index, [step, outcome = 'done']] of requests.entries()) {
        const refused = outcome === 'refused' && refusal ? refusal : null;
        const request = { ...of, requestId: newId(now), step, outcome, refusal: refused };
        recordTrace(request, new Date(now.getTime() + index));
        await writeTraces();
      }
      return attempt;
    }

    test.each<[string, Done[], string]>([
      ['a sign-in', [['authorize'], ['token']], 'done Signed in'],
      [
        'a sign-in whose app reads who it was',
        [['consent'], ['token'], ['userinfo']],
        'done Signed in',
      ],
      ['a renewal', [['authorize'], ['token'], ['refresh']], 'done Renewed'],
      ['a renewal, then a look at the token', [['refresh'], ['introspect']], 'done Renewed'],
      ['a device', [['device'], ['consent'], ['token']], 'done Signed in'],
      ['an app alone', [['token'], ['introspect']], 'done Got a token'],
      [
        'a code that waits',
        [['authorize', 'consent'], ['consent']],
        'waits Code not exchanged yet',
      ],
      ['someone who has to sign in', [['authorize', 'sign-in']], 'waits Sign-in needed'],
      [
        'someone who said no',
        [
          ['authorize', 'consent'],
          ['consent', 'denied'],
        ],
        'denied Denied by the person',
      ],
      [
        'a wrong password',
        [
          ['authorize', 'sign-in'],
          ['sign-in', 'failed'],
        ],
        'refused Wrong credentials',
      ],
      ['a refusal', [['authorize'], ['token', 'refused']], 'refused Unknown code'],
      ['a sign-out', [['authorize'], ['token'], ['sign-out']], 'done Sign-out'],
    ])('says what happened, and not the last request: %s', async (_, requests, expected) => {
      const client = await newClient();
      await attemptOf(client.id, requests, 'code.unknown');
      const { rows } = await listTraces({ clientId: client.id });
      const said = rows.map(happenedIn).map(({ tone, what }) => `${tone} ${textIn('en')(what)}`);
      expect(said).toEqual([expected]);
    });

    test('offers the reasons that occurred, in how many attempts, in groups', async () => {
      const client = await newClient();
      const other = await newClient();
      const codes = [['authorize'], ['token', 'refused'], ['token', 'refused']] as const;
      for (let times = 0; times < 3; times += 1) await attemptOf(client.id, codes, 'code.unknown');
      await attemptOf(client.id, [['authorize', 'refused']], 'access.not-listed');
      await attemptOf(other.id, [['authorize', 'refused']], 'pkce.method');
      recordTrace(
        {
          attempt: newId(now),
          requestId: newId(now),
          step: 'authorize',
          outcome: 'sign-in',
          clientId: client.id,
          userId: null,
          behind: 'nobody',
          refusal: null,
          notes: [{ rule: 'scope.ignored', received: '"rule":"pkce.required"', expected: [] }],
        },
        now,
      );
      await writeTraces();
      const counts = await countReasons({ clientId: client.id });
      expect(Object.fromEntries(counts)).toEqual({
        'code.unknown': 3,
        'access.not-listed': 1,
        'scope.ignored': 1,
      });
      expect(await countReasons({ clientId: client.id, failed: false })).toEqual(
        new Map([['scope.ignored', 1]]),
      );
      const choices = reasonChoices(textIn('en'), counts, 'pkce.method');
      expect(choices.map(([, label, group]) => `${group}: ${label}`)).toEqual([
        'The person and their access: This person may not use the app (1)',
        'What the app asks for: Some scopes were left out (1)',
        'Codes and tokens: Unknown code (3)',
        'The request: Unsupported PKCE method (0)',
      ]);
    });
  });

  describe('the one-click fix of a refused sign-in attempt', () => {
    test('registers the redirect URI, once, with an audit event that names the attempt', async () => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      const uri = 'https://app.example/cb';
      const trace = await refused(client.id, 'redirect-uri.unregistered', uri, [
        'https://app.example/callback',
      ]);
      expect(await offered(client.id, trace)).toEqual({
        kind: 'redirect-uri',
        value: uri,
        way: { by: 'click' },
      });
      await fix(trace);
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
      await expect(fix(trace)).rejects.toThrow('There is nothing left to change');
    });

    test('allows the scope and keeps the others', async () => {
      await createScope({ name: 'ledger', description: 'Read', sensitive: true }, actor, now);
      const client = await newClient({ scopes: null });
      const trace = await refused(client.id, 'scope.not-allowed', 'ledger', []);
      await fix(trace);
      const { scopes } = await showClient(client.id);
      expect(scopes).toContain('ledger');
      expect(scopes).toContain('email');
    });

    test('allows the grant type', async () => {
      const client = await newClient({ grants: ['authorization_code'] });
      const grant = await refused(client.id, 'grant-type.not-allowed', 'refresh_token', []);
      await fix(grant);
      expect((await showClient(client.id)).grants).toEqual(['authorization_code', 'refresh_token']);
    });

    test('changes nothing without a fresh sign-in', async () => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      const trace = await refused(
        client.id,
        'redirect-uri.unregistered',
        'https://app.example/',
        [],
      );
      const stale = () => {
        throw new Error('sign in again');
      };
      await expect(fix(trace, stale)).rejects.toThrow('sign in again');
      expect((await showClient(client.id)).redirectUris).toEqual(['https://app.example/callback']);
    });
  });

  describe('the fix of a refused sign-in attempt depends on who sent the request', () => {
    const bank = ['https://bank.example:8443/cb', 'com.example.bank:/cb'];

    test.each<[string, string | null]>([
      ['https://bank.example:8443/other?x=1', null],
      ['com.example.bank://anything/else', null],
      ['https://bank.example/cb', 'bank.example'],
      ['https://bank.example:8444/cb', 'bank.example:8444'],
      ['https://bank.example.evil.test:8443/cb', 'bank.example.evil.test:8443'],
      ['https://xn--bnk-sla.example:8443/cb', 'xn--bnk-sla.example:8443'],
      ['com.attacker.app:/cb', 'com.attacker.app'],
      ['com.attacker.app://bank.example:8443/cb', 'com.attacker.app'],
      ['com.example.bank.evil:/cb', 'com.example.bank.evil'],
      ['http://localhost:8443/cb', 'localhost:8443'],
    ])(
      'the redirect URI %s is added by one click only at a known origin, otherwise by typing %s',
      async (uri, place) => {
        for (const behind of behinds) {
          const client = await newClient({ redirectUris: bank });
          const trace = await refused(client.id, 'redirect-uri.unregistered', uri, bank, behind);
          const way = place === null ? { by: 'click' } : { by: 'typing', place };
          expect(await offered(client.id, trace)).toMatchObject({ kind: 'redirect-uri', way });
          if (place !== null)
            for (const typed of ['', 'bank.example:8443', `${place}.`, `${place} x`])
              await expect(fix(trace, allowed, typed)).rejects.toThrow(`Type ${place}`);
          expect((await showClient(client.id)).redirectUris).toEqual(bank);
          await fix(trace, allowed, ` ${(place ?? '').toUpperCase()}`);
          expect((await showClient(client.id)).redirectUris).toEqual([...bank, uri]);
        }
      },
    );

    test.each<[string, string | null]>([
      ['https://bank.example:8443/bye', null],
      ['https://app.bank.example/bye?x=1', null],
      ['https://evil.example/bye', 'evil.example'],
      ['com.attacker.app:/bye', 'com.attacker.app'],
    ])(
      'the post-logout redirect URI %s is added under the same rules as a redirect URI',
      async (uri, place) => {
        const before = ['https://app.bank.example/goodbye'];
        for (const behind of behinds) {
          const client = await newClient({ redirectUris: bank, postLogoutRedirectUris: before });
          const trace = await refused(client.id, 'post-logout.unregistered', uri, before, behind);
          const way = place === null ? { by: 'click' } : { by: 'typing', place };
          expect(await offered(client.id, trace)).toMatchObject({ kind: 'sign-out-uri', way });
          if (place !== null) await expect(fix(trace)).rejects.toThrow(`Type ${place}`);
          await fix(trace, allowed, place ?? '');
          const { postLogoutRedirectUris, redirectUris } = await showClient(client.id);
          expect(postLogoutRedirectUris).toEqual([...before, uri]);
          expect(redirectUris).toEqual(bank);
          expect(await offered(client.id, trace)).toBeNull();
        }
      },
    );

    test('an app without a redirect URI has no known origin, so that its first one must be typed', async () => {
      const client = await newClient({ redirectUris: [] });
      const uri = 'https://new.example/cb';
      const trace = await refused(client.id, 'redirect-uri.unregistered', uri, [], 'nobody');
      await expect(fix(trace)).rejects.toThrow('Type new.example');
      await fix(trace, allowed, 'new.example');
      expect((await showClient(client.id)).redirectUris).toEqual([uri]);
    });

    test.each<[Rule, string | null, 'click' | 'setting']>([
      ['scope.not-allowed', 'phone', 'click'],
      ['grant-type.not-allowed', 'client_credentials', 'click'],
      ['client.disabled', null, 'setting'],
      ['pkce.required', null, 'setting'],
      ['access.network', '203.0.113.9', 'setting'],
    ])(
      '%s without client authentication is only explained, with a link, since the user may have followed a link',
      async (rule, received, ofApp) => {
        const client = await newClient({ scopes: ['openid'], grants: ['authorization_code'] });
        const strict = { requirePkce: true, networks: ['192.0.2.0/24'] };
        await updateClient(client.id, strict, { actor, now });
        if (rule === 'client.disabled') await disableClient(client.id, actor, now);
        const before = await showClient(client.id);
        for (const behind of ['nobody', 'person'] as const) {
          const trace = await refused(client.id, rule, received, [], behind);
          expect(await offered(client.id, trace)).toMatchObject({
            way: { by: 'setting', since: behind },
          });
          const refusal = await fix(trace).catch((error: unknown) => error);
          expect(refusal).toBeInstanceOf(AdminRefusal);
          expect(String(refusal)).toContain('didn’t ask for this with its own credential');
        }
        expect(await showClient(client.id)).toEqual(before);
        const proved = await refused(client.id, rule, received, [], 'app');
        expect(await offered(client.id, proved)).toMatchObject({ way: { by: ofApp } });
        if (ofApp === 'setting') {
          await expect(fix(proved)).rejects.toThrow('can’t be granted here');
          expect(await showClient(client.id)).toEqual(before);
        }
      },
    );

    test('an unverified app’s authentication proves nothing: its scope is not granted by one click', async () => {
      const client = await newClient({ scopes: ['openid'] });
      await write("UPDATE clients SET origin = 'registration' WHERE id = $1", [client.id]);
      await raiseRevision();
      const trace = await refused(client.id, 'scope.not-allowed', 'phone', [], 'app');
      const way = { by: 'setting', since: 'unverified' };
      expect(await offered(client.id, trace)).toMatchObject({ kind: 'scope', way });
      await expect(fix(trace)).rejects.toThrow('can’t be granted here');
      expect((await showClient(client.id)).scopes).toEqual(['openid']);
    });

    test('a sensitive scope is described as sensitive', async () => {
      const name = `payroll-${newId(now).slice(-6)}`;
      const client = await newClient({ scopes: null });
      await createScope({ name, description: 'Read', sensitive: true }, actor, now);
      for (const behind of behinds) {
        const trace = await refused(client.id, 'scope.not-allowed', name, [], behind);
        const sensitive = await offered(client.id, trace);
        expect(sensitive).toMatchObject({ kind: 'scope', sensitive: true });
        const { text } = offerOf(textIn('en'), sensitive as Fix, '', {
          clientId: client.id,
          userId: null,
        });
        expect(text).toContain(`“${name}” is a sensitive scope.`);
      }
      const plain = await newClient({ scopes: ['openid'] });
      const other = await refused(plain.id, 'scope.not-allowed', 'phone', [], 'person');
      expect(await offered(plain.id, other)).not.toHaveProperty('sensitive');
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
  ])('no fix of a refused sign-in attempt is offered for %s', async (_, rule, received) => {
    const client = await newClient({ redirectUris: ['https://app.example/callback'] });
    expect(await offered(client.id, await refused(client.id, rule, received, []))).toBeNull();
  });

  test('no fix of a refused sign-in attempt turns off PKCE of a public app', async () => {
    const client = await newClient({ type: 'public', redirectUris: ['https://app.example/cb'] });
    const trace = await refused(client.id, 'pkce.required', null, ['code_challenge']);
    expect(await offered(client.id, trace)).toBeNull();
  });

  test('an unknown client_id in a sign-in attempt is matched to a similar client id or an app’s name', async () => {
    const [id, name] = [`shopfront-${newId(now).slice(-6)}`, `Baker ${newId(now).slice(-8)}`];
    const client = await newClient({ id, name });
    const meant = async (received: string) => {
      const requestId = newId(now);
      const refusal = { code: null, rule: 'client.unknown', reason: 'Unknown.' } as const;
      recordTrace(
        {
          attempt: null,
          requestId,
          step: 'authorize',
          outcome: 'refused',
          clientId: null,
          userId: null,
          behind: 'nobody',
          refusal: { ...refusal, received, expected: [] },
        },
        now,
      );
      await writeTraces();
      return (await clientMeant(await showTrace((await traceOfRequest(requestId)) ?? '')))?.id;
    };
    expect(await meant(id.slice(0, -1))).toBe(client.id);
    expect(await meant(id.toUpperCase())).toBe(client.id);
    expect(await meant(name.toLowerCase())).toBe(client.id);
    expect(await meant('something else entirely')).toBeUndefined();
    expect(await meant('x'.repeat(500))).toBeUndefined();
  });

  describe('hints for a sign-in attempt without a refusal', () => {
    const long = new Date(now.getTime() - 10 * 60_000);

    async function attempt(
      clientId: string,
      userId: string | null,
      step: 'consent' | 'userinfo',
      scope = 'profile',
    ) {
      const person = userId ?? (await newUser()).id;
      const given = { scopes: [scope], remembered: [scope] };
      const grantId = await widenGrantOf({ userId: person, clientId }, null, given, long);
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
      return { id, attempt: id, requestId: request.requestId };
    }
    const hints = async (clientId: string, id: string) =>
      hintsFor(await showTrace(id), await showClient(clientId), now);
    const fixes = async (clientId: string, id: string) => {
      const trace = await showTrace(id);
      const client = await showClient(clientId);
      return [...(await fixesOf(trace, client, await hintsFor(trace, client, now))).values()];
    };
    const guess = { by: 'setting', since: 'guess' };

    test('a code that the app never redeemed is reported as lost, and no fix is offered', async () => {
      const client = await newClient();
      const lost = await attempt(client.id, null, 'consent');
      const hint = { kind: 'lost', value: '', requestId: lost.requestId };
      expect(await hints(client.id, lost.id)).toEqual([hint]);
      await expect(fix(lost)).rejects.toThrow('nothing left');
      expect((await showClient(client.id)).sendIss).toBe(true);
      const redeemed = await attempt(client.id, null, 'consent');
      await redeem(redeemed.id, { idle: 60, absolute: 60, access: 60 }, now);
      expect(await hints(client.id, redeemed.id)).toEqual([]);
    });

    test('iss is suspected if the app redeemed a code only when iss was left out', async () => {
      const client = await newClient();
      const lost = await attempt(client.id, null, 'consent');
      await fetched(client.id, [{ rule: 'iss.left-out', received: null, expected: [] }]);
      const hint = { kind: 'iss', value: '', requestId: lost.requestId };
      expect(await hints(client.id, lost.id)).toEqual([hint]);
      expect(await fixes(client.id, lost.id)).toEqual([{ kind: 'iss', value: '', way: guess }]);
      await expect(fix(lost)).rejects.toThrow('can’t be granted here');
      expect((await showClient(client.id)).sendIss).toBe(true);
      await fetched(client.id, []);
      expect(await hints(client.id, lost.id)).toMatchObject([{ kind: 'lost' }]);
    });

    /** An attempt in which the app redeemed its code. */
    async function fetched(clientId: string, notes: TracedNote[]) {
      const id = newId(now);
      const of = { attempt: id, clientId, userId: null, behind: 'app', refusal: null } as const;
      recordTrace({ ...of, requestId: `${id} c`, step: 'consent', outcome: 'done', notes }, now);
      recordTrace({ ...of, requestId: `${id} t`, step: 'token', outcome: 'done' }, now);
      await writeTraces();
    }

    test('an app that received an unverified email: the user’s page is linked', async () => {
      const client = await newClient();
      const user = await newUser();
      await updateUser(user.id, { emailVerified: false }, actor, now);
      const silent = await attempt(client.id, user.id, 'userinfo');
      expect(await hints(client.id, silent.id)).toEqual([]);
      const told = await attempt(client.id, (await newUser()).id, 'userinfo', 'email');
      expect((await hints(client.id, told.id)).length).toBeLessThanOrEqual(1);
      const { userId } = await showTrace(told.id);
      await updateUser(userId ?? '', { emailVerified: false }, actor, now);
      expect(await hints(client.id, told.id)).toMatchObject([{ kind: 'email' }]);
      expect(await fixes(client.id, told.id)).toMatchObject([{ kind: 'email', way: guess }]);
      await expect(fix(told)).rejects.toThrow('can’t be granted here');
      expect((await showUser(userId ?? '')).emailVerified).toBe(false);
    });
  });

  describe('a person whom an app’s access list refused', () => {
    /** Someone was turned away. */
    async function turnedAway(behind: Behind) {
      const user = await newUser();
      const client = await newClient({ access: 'listed' });
      const [attempt, requestId] = [newId(now), newId(now)];
      const refusal = { code: 'access_denied', rule: 'access.not-listed', reason: 'No.' } as const;
      recordTrace(
        {
          attempt,
          requestId,
          step: 'authorize',
          outcome: 'refused',
          clientId: client.id,
          userId: user.id,
          behind,
          refusal: { ...refusal, received: null, expected: [] },
        },
        now,
      );
      await writeTraces();
      const fixes = async () =>
        fixesOf(await showTrace(attempt), await showClient(client.id), []).then((found) => [
          ...found.values(),
        ]);
      const isIn = () => mayUse(user.id, { id: client.id, access: 'listed' });
      return { user, client, attempt, requestId, fixes, isIn };
    }

    test.each<Behind>(['person', 'app'])('is let in from the attempt (%s)', async (behind) => {
      const { user, client, fixes, isIn, ...request } = await turnedAway(behind);
      const way = { by: 'click' };
      expect(await fixes()).toEqual([{ kind: 'access', value: user.username, way }]);
      const commands = await fixCommands(await showTrace(request.attempt));
      expect(commands.get(request.requestId)).toContain(`trace fix ${request.attempt}`);
      const stale = () => {
        throw new Error('sign in again');
      };
      await expect(fix(request, stale)).rejects.toThrow('sign in again');
      expect(await isIn()).toBe(false);
      await fix(request);
      expect(await isIn()).toBe(true);
      expect((await showAccess(client.id)).people.map(({ id }) => id)).toEqual([user.id]);
      expect(await fixes()).toEqual([]);
      await expect(fix(request)).rejects.toThrow('nothing left');
    });

    test('is let in on the Access tab only, if nobody had signed in', async () => {
      const { user, client, fixes, isIn, ...request } = await turnedAway('nobody');
      const [found] = await fixes();
      expect(found).toMatchObject({ kind: 'access', way: { by: 'setting', since: 'nobody' } });
      const shown = offerOf(textIn('en'), found as Fix, '', {
        clientId: client.id,
        userId: user.id,
      });
      expect(shown).toMatchObject({
        setting: { href: `/admin/clients/${client.id}/access#allowed` },
      });
      await expect(fix(request)).rejects.toThrow('can’t be granted here');
      expect(await isIn()).toBe(false);
    });
  });

  test('a remedy without a button of its own begins with what to do, in each language', () => {
    const about = { clientId: 'wiki', userId: 'bob' };
    const way = { by: 'setting', since: 'guess' } as const;
    const kinds = ['scope', 'grant-type', 'pkce', 'network', 'iss', 'email', 'access', 'enable'];
    for (const [locale, begins] of [
      ['en', /^If /],
      ['de', /^(Braucht|Kann|Sollen|Soll|Nimmt|Wissen) /],
    ] as const)
      for (const kind of kinds as Fix['kind'][]) {
        const offer = offerOf(textIn(locale), { kind, value: 'x', way }, '', about);
        expect(offer.text, kind).toMatch(begins);
        expect(offer).toHaveProperty('setting.label');
      }
  });
});

beforeEach(() => writeTraces());
