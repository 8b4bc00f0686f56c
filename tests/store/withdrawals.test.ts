import { expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { createScope, deleteScope, updateScope } from '#lib/management/scope/scopes.ts';
import { newId } from '#lib/oauth/secrets.ts';
import {
  findAuthorization,
  type NewAuthorization,
  storeAuthorization,
} from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { findConnectedApp, listConnectedApps } from '#lib/store/connected-apps.ts';
import { read, writeTogether } from '#lib/store/engine/database.ts';
import { findGrant, widenGrantOf } from '#lib/store/grants.ts';
import { endingScopesOf } from '#lib/store/scope-endings.ts';
import { revokeGrants, withdrawScope } from '#lib/store/withdrawals.ts';
import { newAuthorization } from '../support/authorizations.ts';
import { beside } from '../support/beside.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const actor = { id: 'cli' };

async function scene(scopes: string[]) {
  const user = await newUser();
  const client = await newClient();
  const allow = async () =>
    String(
      await widenGrantOf(
        { userId: user.id, clientId: client.id },
        await findGrant(user.id, client.id),
        { scopes, remembered: scopes },
        now,
      ),
    );
  const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
  const grantId = await allow();
  const code = async (more: Partial<NewAuthorization> = {}) => {
    const whose = { clientId: client.id, userId: user.id, grantId, clientEpoch };
    const own = { scope: 'openid', consented: scopes, ...more };
    const authorization = newAuthorization({ ...whose, ...own }, now);
    return { id: authorization.id, outcome: await storeAuthorization(authorization, now) };
  };
  return { user, client, allow, code, of: { userId: user.id, clientId: client.id } };
}

onEachDatabase(() => {
  test('a flow whose consent was withdrawn gets no second code, even if the user consents again', async () => {
    const { of, allow, code } = await scene(['openid', 'profile']);
    const id = newId(now);
    expect((await code({ id })).outcome).toBe('stored');
    expect(await revokeGrants(of, now)).toBe(1);
    expect((await code({ id })).outcome).toBe('flow-used');
    const grantId = await allow();
    expect((await code({ id, grantId })).outcome).toBe('flow-used');
    expect((await code({ grantId })).outcome).toBe('stored');
  });

  test('a flow gets no second code after a scope of its code was withdrawn', async () => {
    const { of, code } = await scene(['openid', 'profile']);
    const id = newId(now);
    await code({ id });
    expect(await withdrawScope(of.userId, of.clientId, 'openid', now)).toBe('scope');
    expect((await code({ id, consented: [] })).outcome).toBe('flow-used');
  });

  test.each([
    ['is deleted', (name: string) => deleteScope(name, actor, now)],
    ['becomes sensitive', (name: string) => updateScope(name, { sensitive: true }, { actor, now })],
  ])(
    'a scope that %s while a user consents to it is in no grant afterwards, in either order',
    async (_, end) => {
      const made = async () => {
        const name = `s${Math.random().toString(36).slice(2)}`;
        await createScope({ name, description: 'Payments' }, actor, now);
        const { of } = await scene(['openid']);
        const given = { scopes: ['openid', name], remembered: [name] };
        const widen = async () =>
          widenGrantOf(of, await findGrant(of.userId, of.clientId), given, now);
        const first = async () =>
          widenGrantOf({ ...of, userId: (await newUser()).id }, null, given, now);
        const grants = async () =>
          read('SELECT id FROM grants WHERE scopes LIKE :name', { name: `%${name}%` });
        return { widen, first, grants, end: async (): Promise<unknown> => end(name) };
      };
      for (const way of ['widen', 'first'] as const) {
        const early = await made();
        const [, allowed] = await beside(early.end, early[way]);
        expect([way, allowed, await early.grants()]).toEqual([way, 'gone', []]);
        const late = await made();
        const [given] = await beside(late[way], late.end);
        expect([way, given, await late.grants()]).toEqual([
          way,
          expect.not.stringMatching('gone'),
          [],
        ]);
      }
    },
  );

  test('a scope removed from a client while a user consents to it is in no grant afterwards, in either order', async () => {
    const made = async () => {
      const { of } = await scene(['openid']);
      const given = { scopes: ['openid', 'address'], remembered: ['address'] };
      const widen = async () =>
        widenGrantOf(of, await findGrant(of.userId, of.clientId), given, now);
      const first = async () =>
        widenGrantOf({ ...of, userId: (await newUser()).id }, null, given, now);
      const end = () => updateClient(of.clientId, { scopes: ['openid'] }, { actor, now });
      const grants = async () =>
        read(`SELECT id FROM grants WHERE client_id = :clientId AND scopes LIKE '%address%'`, of);
      return { widen, first, grants, end };
    };
    for (const way of ['widen', 'first'] as const) {
      const early = await made();
      const [, allowed] = await beside(early.end, early[way]);
      expect([way, allowed, await early.grants()]).toEqual([way, 'gone', []]);
      const late = await made();
      const [given] = await beside(late[way], late.end);
      expect([way, given]).toEqual([way, expect.not.stringMatching('gone')]);
      expect([way, await late.grants()]).toEqual([way, []]);
    }
  });

  test('removing many scopes from a client takes as many statements as one, and ends the codes that carry them', async () => {
    const { of, code } = await scene(['openid', 'address']);
    const names = Array.from({ length: 200 }, (_, each) => `s${each}`);
    const ending = (scopes: string[]) => endingScopesOf(of.clientId, scopes, now);
    expect(ending(names)).toHaveLength(ending(['address']).length);
    const asking = await code({ scope: 'openid address' });
    const plain = await code();
    const claims = JSON.stringify({ userinfo: ['address'], idToken: [] });
    const claiming = await code({ claims });
    const first = { sql: 'SELECT 1 AS found', params: {} };
    await writeTogether(first, ending([...names, 'phone', 'address']));
    const isLive = async ({ id }: { id: string }) =>
      (await findAuthorization(id)).authorization?.revokedAt === null;
    expect(await Promise.all([asking, claiming, plain].map(isLive))).toEqual([false, false, true]);
    expect((await findGrant(of.userId, of.clientId))?.scopes).toEqual(['openid']);
  });

  test('no code is stored under a consent that was withdrawn or lacks a scope', async () => {
    const { of, code } = await scene(['openid', 'profile']);
    await withdrawScope(of.userId, of.clientId, 'profile', now);
    expect((await code()).outcome).toBe('grant-gone');
    expect((await code({ consented: ['openid'] })).outcome).toBe('stored');
    await revokeGrants(of, now);
    expect((await code()).outcome).toBe('grant-gone');
  });

  test('withdrawing a scope ends codes for single claims of it, and no others', async () => {
    const { of, code } = await scene(['openid', 'address']);
    const claims = JSON.stringify({ userinfo: ['address'], idToken: [] });
    const asking = await code({ claims });
    const plain = await code();
    await withdrawScope(of.userId, of.clientId, 'address', now);
    expect((await findAuthorization(asking.id)).authorization?.revokedAt).not.toBeNull();
    expect((await findAuthorization(plain.id)).authorization?.revokedAt).toBeNull();
  });

  test('several scopes withdrawn at the same time all stay withdrawn, and the last one deletes the consent', async () => {
    const scopes = ['openid', 'profile', 'email', 'address', 'phone'];
    const { of } = await scene(scopes);
    const outcomes = await Promise.all(
      scopes.slice(1).map((scope) => withdrawScope(of.userId, of.clientId, scope, now)),
    );
    expect(outcomes).toEqual(['scope', 'scope', 'scope', 'scope']);
    expect((await findGrant(of.userId, of.clientId))?.scopes).toEqual(['openid']);
    expect(await withdrawScope(of.userId, of.clientId, 'profile', now)).toBe('nothing');
    expect(await withdrawScope(of.userId, of.clientId, 'openid', now)).toBe('all');
    expect(await findGrant(of.userId, of.clientId)).toBeNull();
  });

  test('codes being stored while consent is withdrawn do not outlive it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { of, code } = await scene(['openid', 'profile']);
      const flows = Array.from({ length: 12 }, () => newId(now));
      const [first, , second] = await Promise.all([
        Promise.all(flows.slice(0, 6).map((id) => code({ id }))),
        revokeGrants(of, now),
        Promise.all(flows.slice(6).map((id) => code({ id }))),
      ]);
      const stored = [...first, ...second].map(({ id }) => id);
      const left = await Promise.all(
        stored.map(async (id) => (await findAuthorization(id)).authorization),
      );
      expect(left.filter(Boolean)).toEqual([]);
      const outcomes = [...first, ...second].map(({ outcome }) => outcome);
      const had = flows.filter((_, index) => outcomes[index] === 'stored');
      for (const id of had) {
        const rows = await read('SELECT 1 AS spent FROM spent_values WHERE hash = $1', [
          `flow:${id}`,
        ]);
        expect(rows).toHaveLength(1);
      }
    }
  });

  test('an app with consent but without tokens is signed in nowhere, and other users do not see it', async () => {
    const { of } = await scene(['openid']);
    expect(await findConnectedApp(of.userId, of.clientId, now)).toMatchObject({
      places: 0,
      scopes: [{ name: 'openid' }],
    });
    expect(await listConnectedApps((await newUser()).id, now)).toEqual([]);
  });
});
