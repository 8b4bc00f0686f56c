import { describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { createScope, type ScopeChange, updateScope } from '#lib/management/scope/scopes.ts';
import { read } from '#lib/store/engine/database.ts';
import { findGrant } from '#lib/store/grants.ts';
import { credentials, me, post, refresh, tokensOf } from '../support/app.ts';
import { exchange, newScene } from '../support/exchange.ts';
import { openServer } from '../support/open-server.ts';
import { hasComeFarAt, overtaken } from '../support/overtaken.ts';
import { answerOf, newPerson } from '../support/person.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { introspect } from '../support/target.ts';

const server = await openServer({});
/** Another process, with its own memory. */
const other = await server.secondProcess();
const inactive = { active: false };
const editing = () => ({ actor: { id: 'cli' }, now: new Date() });
const leave = ({ id }: TestClient, scopes: string[] | null) =>
  updateClient(id, { scopes }, editing());

/** The authorizations stored for a client that have not ended. */
const liveAt = ({ id }: TestClient) =>
  read('SELECT id FROM authorizations WHERE client_id = $1 AND revoked_at IS NULL', [id]);

describe('a scope that is taken from a client (section 2)', () => {
  test('ends the tokens that have it, in every process, and no others of the client', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const without = await tokensOf(server, person, client, { scope: 'email' });
    const having = await tokensOf(server, person, client, { scope: 'openid email' });
    expect((await me(other, having.access_token)).status).toBe(200);
    await leave(client, ['email', 'profile']);
    for (const at of [server, other]) {
      expect((await me(at, having.access_token)).status).toBe(401);
      expect(await introspect(at, client, having.access_token)).toEqual(inactive);
      expect(await introspect(at, client, having.refresh_token)).toEqual(inactive);
      expect((await refresh(at, having.refresh_token)).body.error).toBe('invalid_grant');
    }
    expect((await me(other, without.access_token)).status).toBe(200);
    expect((await refresh(other, without.refresh_token)).body.scope).toBe('email');
  });

  test('ends tokens with a single claim of it', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    const claims = JSON.stringify({ userinfo: { family_name: null } });
    const asked = { scope: 'openid', claims };
    const { access_token } = await tokensOf(server, person, client, asked);
    const { access_token: plain } = await tokensOf(server, person, client, { scope: 'openid' });
    await leave(client, ['openid', 'email']);
    expect((await me(server, access_token)).status).toBe(401);
    expect((await me(server, plain)).status).toBe(200);
  });

  test('ends tokens exchanged from those that have it (RFC 8693)', async () => {
    const { front, near, far, token } = await newScene(server);
    const { body } = await exchange(server, near.client, far.identifier, { token });
    const seen = () => introspect(other, far.client, body.access_token);
    expect(await seen()).toMatchObject({ active: true });
    await leave(front, ['openid']);
    expect(await seen()).toEqual(inactive);
  });

  test('ends client_credentials tokens that have it', async () => {
    const name = `reports-${crypto.randomUUID()}`;
    await createScope({ name, description: 'Reports' }, { id: 'cli' }, new Date());
    const client = await newClient({ grants: ['client_credentials'], scopes: [name, 'profile'] });
    const asked = { ...credentials(client), grant_type: 'client_credentials' };
    const { body } = await post(server, '/oauth/token', asked);
    expect(await introspect(other, client, body.access_token)).toMatchObject({ scope: name });
    await leave(client, [name]);
    expect(await introspect(other, client, body.access_token)).toMatchObject({ scope: name });
    await leave(client, ['profile']);
    expect(await introspect(other, client, body.access_token)).toEqual(inactive);
  });

  test('becomes sensitive: its tokens end at clients without a scope list, and at no other', async () => {
    const name = `reports-${crypto.randomUUID()}`;
    await createScope({ name, description: 'Reports' }, { id: 'cli' }, new Date());
    const person = await newPerson(server);
    const grants = ['authorization_code', 'refresh_token', 'client_credentials'];
    const open = await newClient({ grants, scopes: null });
    const listing = await newClient({ grants, scopes: ['email', name] });
    const issued = async (client: TestClient) => {
      const asked = { ...credentials(client), grant_type: 'client_credentials', scope: name };
      const { body: own } = await post(server, '/oauth/token', asked);
      const having = await tokensOf(server, person, client, { scope: `email ${name}` });
      const without = await tokensOf(server, person, client, { scope: 'email' });
      const all = [own, having, without].map(({ access_token }) => access_token);
      return async () => {
        const seen = await Promise.all(all.map((token) => introspect(other, client, token)));
        return seen.map(({ active }) => active);
      };
    };
    const atOpen = await issued(open);
    const atListing = await issued(listing);
    const change = (said: ScopeChange) => updateScope(name, said, editing());
    await change({ description: 'All reports' });
    expect(await atOpen()).toEqual([true, true, true]);
    await change({ sensitive: true });
    expect(await atOpen()).toEqual([false, false, true]);
    expect(await atListing()).toEqual([true, true, true]);
    expect((await findGrant(person.user.id, open.id))?.scopes).toEqual(['email']);
  });

  test('needs consent again when the client may have it again', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    await tokensOf(server, person, client);
    await leave(client, ['email']);
    await leave(client, null);
    const silently = async (scope: string) => {
      const asked = { client_id: client.id, response_type: 'code', prompt: 'none', scope };
      return answerOf(await person.authorize(asked));
    };
    expect((await silently('profile email')).error).toBe('consent_required');
    expect((await silently('email')).code).toBeDefined();
  });

  test('is in nothing that a user allows at the same time, consented before or not', async () => {
    for (const first of ['email', 'profile email']) {
      const person = await newPerson(server);
      const client = await newClient();
      await tokensOf(server, person, client, { scope: first });
      const asked = { client_id: client.id, response_type: 'code', scope: 'profile email' };
      const allowing = () => person.authorize(asked);
      const taking = () => leave(client, ['email']);
      const { answer } = await overtaken(taking, allowing, hasComeFarAt(server));
      expect([first, answerOf(answer).code]).toEqual([first, undefined]);
      expect((await findGrant(person.user.id, client.id))?.scopes).toEqual(['email']);
      expect(await liveAt(client)).toHaveLength(first === 'email' ? 1 : 0);
    }
  });
});
