import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { nothingKnown } from '#lib/http/message.ts';
import { serve } from '#lib/http/serve.ts';
import { signerFor } from '#lib/identity/signing.ts';
import { keyInUse, tokenKeysAt } from '#lib/identity/token-keys.ts';
import { grantedIn } from '#lib/oauth/operator-claims.ts';
import { makeToken, type TokenKind } from '#lib/oauth/tokens.ts';
import { findClient } from '#lib/store/clients.ts';
import { endDue } from '#lib/store/ends.ts';
import { likelyRevision, raiseRevision, readRevision } from '#lib/store/engine/revision.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { furtherFactsFor } from '#lib/store/groups-and-fields.ts';
import { readSettings } from '#lib/store/settings.ts';
import { readTerms } from '#lib/store/terms.ts';
import { writeTraces } from '#lib/store/traces.ts';
import { flushUsage } from '#lib/store/usage.ts';
import { basic, credentials } from '../support/app.ts';
import { redeem, store } from '../support/authorizations.ts';
import { startsEmpty } from '../support/database.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { type ClientOptions, newClient, newUser } from '../support/seed.ts';
import { withStatements } from '../support/statements.ts';

const now = new Date();

/** A client with a user's authorization, and functions that make its code and tokens. */
async function scene(options: ClientOptions = {}, scope = 'profile') {
  const user = await newUser();
  const client = await newClient(options);
  const given = { scopes: scope.split(' '), remembered: [] };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, null, given, now);
  const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
  const whose = { userId: user.id, clientId: client.id, grantId, clientEpoch };
  const id = await store({ ...whose, scope, consented: scope.split(' ') }, now);
  const token = async (kind: TokenKind) => {
    const said = {
      id,
      counter: 0,
      expiresAt: new Date(Date.now() + 30_000),
      life: 30,
      detail: '',
      jkt: null,
    };
    return makeToken({ ...said, kind }, keyInUse(await tokenKeysAt(await readRevision()), now));
  };
  const redeemed = () => redeem(id, { idle: 3600, absolute: 3600, access: 3600 }, now);
  return { client, token, redeemed };
}

/** Calls an endpoint in this process, and counts the statements that it runs. */
async function ask(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  // First writes what earlier requests left to be written later, so that those statements do not
  // count.
  await Promise.all([flushUsage(), writeTraces()]);
  const target = findTarget(path, '');
  if (!target) throw new Error(`Nothing answers at ${path}.`);
  const sent = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  const request = {
    method: 'POST',
    path,
    query: '',
    address: 'test',
    isShared: true,
    id: 'test',
    repeatsAuthorization: () => false,
    about: nothingKnown(),
    header: (name: string) => (sent as Record<string, string>)[name],
    body: async () => Buffer.from(new URLSearchParams(fields).toString()),
  };
  const { result, statements } = await withStatements(() =>
    serve(target.mount, request, new Date()),
  );
  const { status, body } = result;
  return { status, body: JSON.parse(String(body)), statements };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/**
 * Loads what every process holds after its first requests: the client, the settings, own fields,
 * the keys.
 */
async function warmUp(clientId: string) {
  await endDue(new Date());
  await readTerms();
  await readSettings();
  await furtherFactsFor('nobody', grantedIn('openid'), await readRevision());
  await findClient(clientId);
  await tokenKeysAt(await likelyRevision());
}

onDatabase('postgresql', () => {
  test.runIf(startsEmpty)(
    'on PostgreSQL user information, introspection, redemption and refresh take one statement each',
    async () => {
      const { client, token, redeemed } = await scene();
      const other = await scene();
      const cold = await scene();
      await redeemed();
      const access = await token('accessToken');
      const form = async (kind: TokenKind, of: typeof other) => ({
        ...credentials(of.client),
        ...(kind === 'code'
          ? { grant_type: 'authorization_code', code: await of.token(kind) }
          : { grant_type: 'refresh_token', refresh_token: await of.token(kind) }),
      });
      const code = await form('code', other);
      const refreshToken = await form('refreshToken', { client, token, redeemed });
      // The first answers create signing keys, with other statements.
      await ask('/oauth/token', await form('code', cold), {});
      for (const { id } of [client, other.client]) await warmUp(id);
      for (const [path, fields, headers] of [
        ['/oauth/me', {}, bearer(access)],
        ['/oauth/me', {}, bearer(access)],
        ['/oauth/introspect', { token: access }, { authorization: basic(client).Authorization }],
        ['/oauth/token', code, {}],
        ['/oauth/token', refreshToken, {}],
      ] as const) {
        const { status, statements } = await ask(path, fields, headers);
        expect([path, status, statements.length], statements.join('\n')).toEqual([path, 200, 1]);
      }
    },
  );

  test('on PostgreSQL the groups claim takes one more statement, and none while nothing changes', async () => {
    const { client, token, redeemed } = await scene({}, 'openid groups');
    const shaped = await scene({ claimShape: 'wp-oauth-server' }, 'openid');
    for (const each of [shaped, { redeemed }]) await each.redeemed();
    for (const each of [client, shaped.client]) await warmUp(each.id);
    const { Authorization } = basic(client);
    const access = await token('accessToken');
    for (const [path, fields, headers, statements] of [
      ['/oauth/me', {}, bearer(access), 2],
      ['/oauth/me', {}, bearer(access), 1],
      ['/oauth/introspect', { token: access }, { authorization: Authorization }, 2],
      ['/oauth/introspect', { token: access }, { authorization: Authorization }, 1],
      ['/oauth/me', {}, bearer(await shaped.token('accessToken')), 2],
    ] as const) {
      const answer = await ask(path, fields, headers);
      expect([path, answer.status, answer.statements.length]).toEqual([path, 200, statements]);
    }
  });

  test.runIf(startsEmpty)(
    'on PostgreSQL a refresh with an ID token takes one statement, and two with groups',
    async () => {
      const counts: number[] = [];
      for (const scope of ['openid profile', 'openid profile groups']) {
        const { client, token, redeemed } = await scene({}, scope);
        await redeemed();
        await warmUp(client.id);
        await signerFor('RS256', await readRevision(), now);
        const refresh_token = await token('refreshToken');
        const fields = { grant_type: 'refresh_token', refresh_token, ...credentials(client) };
        const { status, statements, body } = await ask('/oauth/token', fields, {});
        expect([status, typeof body.id_token]).toEqual([200, 'string']);
        counts.push(statements.length);
      }
      expect(counts).toEqual([1, 2]);
    },
  );

  test('on PostgreSQL a change by another process is noticed in the one statement, and leads to more', async () => {
    const { client, token } = await scene();
    await warmUp(client.id);
    await likelyRevision();
    const code = await token('code');
    await raiseRevision();
    const fields = { grant_type: 'authorization_code', code, ...credentials(client) };
    const { status, statements } = await ask('/oauth/token', fields, {});
    expect(status).toBe(200);
    expect(statements.length).toBeGreaterThan(1);
  });
});
