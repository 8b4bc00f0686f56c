import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { deleteClient, disableClient, updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { listActivity } from '#lib/management/user/activity.ts';
import { deleteUser, disableUser, resetPassword } from '#lib/management/user/users.ts';
import { exchangeGrant } from '#lib/oauth/grant-types.ts';
import { disallow } from '#lib/store/access.ts';
import { revokeAuthorization } from '#lib/store/authorizations.ts';
import { write } from '#lib/store/engine/database.ts';
import { findGrant } from '#lib/store/grants.ts';
import { withdrawScope } from '#lib/store/withdrawals.ts';
import { races } from '../lanes.ts';
import { changeApi } from '../support/apis.ts';
import { type Answer, credentials, me, post } from '../support/app.ts';
import { type DpopKey, newDpopKey, proofOf } from '../support/dpop.ts';
import { accessTokenType, exchange, newScene, newServed, type Scene } from '../support/exchange.ts';
import { alikeOn, allAlikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { codeFor, introspect, named, outcome, tokenRequest } from '../support/target.ts';
import { readToken } from '../support/tokens.ts';
import { stepOf } from '../support/traces.ts';

const server = await openServer({});
const alike = alikeOn(databaseOf(server.databaseUrl));
const allAlike = allAlikeOn(databaseOf(server.databaseUrl));
/** Another process, with its own memory. */
const other = await server.secondProcess();
const cli = { id: 'cli' };
const now = () => new Date();
const editing = () => ({ actor: cli, now: now() });
const inactive = { active: false };

const exchanged = (scene: Scene, more: Record<string, string> = {}, at = server) =>
  exchange(at, scene.near.client, scene.far.identifier, { token: scene.token, more });
/** The token for `far` that `near` got. */
const tokenOf = async (scene: Scene, more: Record<string, string> = {}) => {
  const { status, body } = await exchanged(scene, more);
  if (status !== 200) throw new Error(`It was refused: ${JSON.stringify(body)}`);
  return String(body.access_token);
};
const seenBy = (client: TestClient, token: unknown, at = server) => introspect(at, client, token);
const told = ({ body }: Answer) => ({ error: body.error, says: body.error_description });

describe('token exchange (RFC 8693 section 2)', () => {
  test('gives a token for the other API, with the user as sub and the calling client in act', async () => {
    const scene = await newScene(server);
    const { person, near, far, front } = scene;
    const { status, body, headers } = await exchanged(scene);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(
      ['access_token', 'expires_in', 'issued_token_type', 'scope', 'token_type'].sort(),
    );
    expect(body).toMatchObject({
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      scope: 'read',
    });
    expect(await seenBy(far.client, body.access_token)).toMatchObject({
      active: true,
      sub: person.user.id,
      client_id: near.client.id,
      act: { sub: near.client.id },
      aud: far.identifier,
      scope: 'read',
    });
    expect(await seenBy(near.client, scene.token)).not.toHaveProperty('act');
    expect(await seenBy(front, body.access_token)).toEqual(inactive);
  });

  test('is in the person’s activity once a day: which app, through which one, for which API', async () => {
    const scene = await newScene(server);
    const { person, near, front } = scene;
    for (const at of [server, server, other, other]) await exchanged(scene, {}, at);
    const { rows } = await listActivity(person.user.id, { kind: 'apps' }, now());
    const acted = rows.filter(({ type }) => type === 'agent.acted');
    expect(acted).toHaveLength(1);
    expect(acted[0]).toMatchObject({
      clientName: `App ${near.client.id}`,
      through: { app: `App ${front.id}`, apis: expect.stringMatching(/\S/) },
      by: 'nobody',
    });
  });

  alike('accepts audience instead of resource, in any spelling', async () => {
    const scene = await newScene(server);
    const audience = `${scene.far.identifier.replace('https://api', 'HTTPS://API')}/`;
    const { body } = await exchange(server, scene.near.client, '', {
      token: scene.token,
      more: { audience },
    });
    expect(await seenBy(scene.far.client, body.access_token)).toMatchObject({
      aud: scene.far.identifier,
    });
  });

  alike('a JWT from a chain has nested act claims, the latest client outermost', async () => {
    const scene = await newScene(server, { nearApi: { tokenFormat: 'jwt' } });
    const { near, person } = scene;
    const last = await newServed([], { api: { tokenFormat: 'jwt', scopes: ['read'] } });
    const second = await newServed([last.identifier]);
    const front = await newClient();
    const apis = [near.identifier, second.identifier, last.identifier];
    await updateClient(near.client.id, { exchangeFor: [second.identifier] }, editing());
    const code = await codeFor(person, front, [['scope', 'read'], ...named(...apis)]);
    const grant = { grant_type: 'authorization_code', code };
    const { body } = await tokenRequest(server, front, grant, named(near.identifier));
    const one = await exchange(server, near.client, second.identifier, {
      token: String(body.access_token),
    });
    const two = await exchange(server, second.client, last.identifier, {
      token: String(one.body.access_token),
    });
    expect(decodeJwt(String(two.body.access_token))).toMatchObject({
      sub: person.user.id,
      aud: last.identifier,
      client_id: second.client.id,
      act: { sub: second.client.id, act: { sub: near.client.id } },
    });
    expect(await seenBy(last.client, two.body.access_token)).toMatchObject({
      active: true,
      act: { sub: second.client.id, act: { sub: near.client.id } },
    });
  });

  alike.each<'opaque' | 'jwt'>(['opaque', 'jwt'])(
    'the sub is what the exchanging client sees, pairwise or public (%s)',
    async (tokenFormat) => {
      const at = (host: string) => ({
        subjectType: 'pairwise' as const,
        redirectUris: [`https://${host}.example/cb`],
      });
      const grants = ['authorization_code', exchangeGrant];
      const subAt = async (scene: Scene, client: TestClient, token: string) => {
        const { sub } = await seenBy(client, token);
        if (tokenFormat === 'jwt') expect(decodeJwt(token).sub).toBe(sub);
        expect(sub === scene.person.user.id || /^[A-Za-z0-9_-]{43}$/.test(String(sub))).toBe(true);
        return sub;
      };
      const apis = { nearApi: { tokenFormat }, farApi: { tokenFormat } };
      const both = await newScene(server, {
        ...apis,
        front: at('front-of-it'),
        near: { ...at('near-of-it'), grants },
      });
      const child = await subAt(both, both.far.client, await tokenOf(both));
      const own = await codeFor(both.person, both.near.client, [['scope', 'openid']]);
      const signIn = { grant_type: 'authorization_code', code: own };
      const { body } = await tokenRequest(server, both.near.client, signIn);
      expect(child).toBe(decodeJwt(String(body.id_token)).sub);
      expect(child).not.toBe(both.person.user.id);
      expect(child).not.toBe(await subAt(both, both.near.client, both.token));
      const frontAlone = await newScene(server, { ...apis, front: at('front-of-it') });
      const { id } = frontAlone.person.user;
      expect(await subAt(frontAlone, frontAlone.near.client, frontAlone.token)).not.toBe(id);
      expect(await subAt(frontAlone, frontAlone.far.client, await tokenOf(frontAlone))).toBe(id);
    },
  );

  alike('accepts the client’s own token as actor_token, and refuses any other', async () => {
    const scene = await newScene(server);
    const { near, far, token } = scene;
    const own = await tokenRequest(server, near.client, { grant_type: 'client_credentials' });
    const foreign = await tokenRequest(server, far.client, { grant_type: 'client_credentials' });
    const withActor = (actor_token: string) =>
      exchanged(scene, { actor_token, actor_token_type: accessTokenType });
    expect((await withActor(String(own.body.access_token))).status).toBe(200);
    // A person's token from the client does not stand for the client itself.
    const signIn = await codeFor(scene.person, near.client, [['scope', 'profile']]);
    const grant = { grant_type: 'authorization_code', code: signIn };
    const persons = String((await tokenRequest(server, near.client, grant)).body.access_token);
    for (const actor of [String(foreign.body.access_token), token, persons, 'gh_at_none']) {
      const answer = await withActor(actor);
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(await stepOf(answer)).toMatchObject({ rule: 'exchange.actor' });
    }
  });

  test('does not remember consent for the exchanging client', async () => {
    const scene = await newScene(server);
    await tokenOf(scene);
    const grant = await findGrant(scene.person.user.id, scene.near.client.id);
    expect(grant).toMatchObject({ remembered: [] });
    expect(grant?.scopes).toContain(scene.far.identifier);
  });

  test('exchanging the same token again adds no authorization', async () => {
    const scene = await newScene(server);
    const tokens = [await tokenOf(scene), await tokenOf(scene), await tokenOf(scene)];
    expect(new Set(tokens).size).toBe(3);
    const rows = await (await prisma()).authorization.findMany({
      where: { clientId: scene.near.client.id },
    });
    expect(rows).toHaveLength(1);
  });

  alike('gives user information only with openid in scope, and never an ID token', async () => {
    const scene = await newScene(server);
    expect((await me(server, await tokenOf(scene))).status).toBe(403);
    const { body } = await exchanged(scene, { scope: 'openid read' });
    expect(body).not.toHaveProperty('id_token');
    const { body: claims } = await me(server, String(body.access_token));
    expect(claims.sub).toBe(scene.person.user.id);
  });
});

allAlike('a token exchange is refused (RFC 8693 section 2.2.2)', () => {
  const target = (scene: Scene, more: Record<string, string>) => exchanged(scene, more);
  test.concurrent.each<[string, (scene: Scene) => Promise<Answer>, string, string]>([
    [
      'no subject_token',
      (s) => target(s, { subject_token: '' }),
      'invalid_request',
      'exchange.parameter',
    ],
    [
      'no type of it',
      (s) => target(s, { subject_token_type: '' }),
      'invalid_request',
      'exchange.parameter',
    ],
    [
      'another type',
      (s) => target(s, { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }),
      'invalid_request',
      'exchange.parameter',
    ],
    [
      'another type asked for',
      (s) => target(s, { requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' }),
      'invalid_request',
      'exchange.parameter',
    ],
    [
      'an actor token without its type',
      (s) => target(s, { actor_token: 'x' }),
      'invalid_request',
      'exchange.parameter',
    ],
    ['no target', (s) => target(s, { resource: '' }), 'invalid_request', 'exchange.parameter'],
    [
      'an unknown target',
      (s) => target(s, { resource: 'https://none.example' }),
      'invalid_target',
      'resource.unknown',
    ],
    [
      'an unknown token',
      (s) => target(s, { subject_token: 'gh_at_abc' }),
      'invalid_request',
      'exchange.subject',
    ],
    [
      'a refresh token',
      (s) => target(s, { subject_token: s.refreshToken }),
      'invalid_request',
      'exchange.subject',
    ],
    [
      'a scope that the token has not',
      (s) => target(s, { scope: 'read write' }),
      'invalid_scope',
      'scope.wider',
    ],
    ['a scope of nobody', (s) => target(s, { scope: 'none' }), 'invalid_scope', 'scope.wider'],
    [
      'a target that no admin named',
      (s) => target(s, { resource: s.near.identifier }),
      'invalid_target',
      'exchange.not-permitted',
    ],
  ])('for %s', async (_, ask, error, rule) => {
    const scene = await newScene(server);
    const answer = await ask(scene);
    expect(outcome(answer)).toEqual([400, error]);
    const attempt = await stepOf(answer);
    expect(attempt.rule).toBe(rule);
    expect(JSON.stringify(attempt)).not.toContain(scene.token);
  });

  test('for a token of another app or API, for none, or without a user', async () => {
    const scene = await newScene(server);
    const { near, far, person, front } = scene;
    const plain = await codeFor(person, front, [['scope', 'profile']]);
    const forNone = await tokenRequest(server, front, {
      grant_type: 'authorization_code',
      code: plain,
    });
    const itself = await tokenRequest(
      server,
      near.client,
      { grant_type: 'client_credentials' },
      named(near.identifier),
    );
    const forFar = await tokenOf(scene);
    const cases = [
      [forNone.body.access_token, 'exchange.other-audience'],
      [forFar, 'exchange.other-audience'],
      [itself.body.access_token, 'exchange.no-person'],
    ] as const;
    for (const [token, rule] of cases) {
      const answer = await exchange(server, near.client, far.identifier, { token: String(token) });
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(await stepOf(answer)).toMatchObject({ rule });
    }
    // A client that overhears the token is not its audience.
    const stranger = await newServed([far.identifier]);
    const overheard = await exchange(server, stranger.client, far.identifier, {
      token: scene.token,
    });
    expect(outcome(overheard)).toEqual([400, 'invalid_request']);
    expect(await stepOf(overheard)).toMatchObject({ rule: 'exchange.other-audience' });
  });

  test('for an ID token, with any subject_token_type', async () => {
    const scene = await newScene(server);
    const code = await codeFor(scene.person, scene.front, [['scope', 'openid']]);
    const grant = { grant_type: 'authorization_code', code };
    const { body } = await tokenRequest(server, scene.front, grant);
    for (const type of ['access_token', 'id_token', 'jwt']) {
      const more = { subject_token_type: `urn:ietf:params:oauth:token-type:${type}` };
      const answer = await exchanged({ ...scene, token: String(body.id_token) }, more);
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
    }
  });

  test('for a client that fails authentication, lacks the grant or is public', async () => {
    const scene = await newScene(server);
    const { near, far, token } = scene;
    const wrong = { ...near.client, secret: 'gh_cs_wrong' };
    expect(outcome(await exchange(server, wrong, far.identifier, { token }))).toEqual([
      401,
      'invalid_client',
    ]);
    await updateClient(near.client.id, { grants: ['authorization_code'] }, editing());
    expect(outcome(await exchanged(scene))).toEqual([400, 'unauthorized_client']);
    const open = {
      name: 'x',
      type: 'public',
      grants: ['authorization_code', exchangeGrant],
    } as const;
    await expect(updateClient(near.client.id, open, editing())).rejects.toThrow();
    const other = await newClient({ ...open, exchangeFor: [far.identifier] });
    const sent = { client_id: other.id, grant_type: exchangeGrant, subject_token: token };
    const asked = { ...sent, subject_token_type: accessTokenType, resource: far.identifier };
    expect(outcome(await post(server, '/oauth/token', asked))).toEqual([
      400,
      'unauthorized_client',
    ]);
  });

  test('for a user who may not use the exchanging app, or one earlier in the chain', async () => {
    const second = { requireSecondFactor: true };
    const cases = [
      ['near', { access: 'listed' }, 'access.not-listed', 'invalid_request'],
      ['near', second, 'second-factor-required', 'insufficient_user_authentication'],
      ['front', second, 'second-factor-required', 'insufficient_user_authentication'],
    ] as const;
    for (const [which, changes, rule, error] of cases) {
      const scene = await newScene(server);
      expect((await exchanged(scene)).status).toBe(200);
      const { id } = which === 'near' ? scene.near.client : scene.front;
      await updateClient(id, changes, editing());
      const refused = await exchanged(scene);
      expect(outcome(refused)).toEqual([400, error]);
      expect(await stepOf(refused)).toMatchObject({ rule });
    }
  });

  test('for a token of another realm, at a realm’s address', async () => {
    const path = (realm: string) => `/realms/${realm}/protocol/openid-connect/token`;
    const at = async (scene: Scene, realm: string) => {
      const { near, far, token } = scene;
      const sent = { subject_token: token, subject_token_type: accessTokenType };
      const asked = { grant_type: exchangeGrant, resource: far.identifier, ...sent };
      return post(server, path(realm), { ...credentials(near.client), ...asked });
    };
    const near = { oldIssuer: '/realms/b' };
    const apart = await newScene(server, { front: { oldIssuer: '/realms/a' }, near });
    const refused = await at(apart, 'b');
    expect(outcome(refused)).toEqual([400, 'invalid_request']);
    expect(await stepOf(refused)).toMatchObject({ rule: 'exchange.subject' });
    expect(outcome(await at(apart, 'a'))).toEqual([401, 'invalid_client']);
    const together = await newScene(server, { front: near, near });
    expect((await at(together, 'b')).status).toBe(200);
  });

  test('for parameters in the query', async () => {
    const scene = await newScene(server);
    const query = new URLSearchParams({ subject_token: scene.token });
    const answer = await post(server, `/oauth/token?${query}`, {
      ...credentials(scene.near.client),
      grant_type: exchangeGrant,
    });
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
  });
});

allAlike('a token exchange never widens access', () => {
  test('gives no API that the user did not allow, unless the client is first-party, and then no scope', async () => {
    const scene = await newScene(server);
    const { near, token } = scene;
    const third = await newServed();
    await updateClient(near.client.id, { exchangeFor: [third.identifier] }, editing());
    const ask = () => exchange(server, near.client, third.identifier, { token });
    const refused = await ask();
    expect(outcome(refused)).toEqual([400, 'invalid_target']);
    expect(await stepOf(refused)).toMatchObject({
      rule: 'resource.not-granted',
      received: third.identifier,
    });
    await updateClient(near.client.id, { firstParty: true }, editing());
    const { body } = await ask();
    // A scope of the same name means something else there, and no one granted it.
    expect(body.scope).toBe('');
    expect(await seenBy(third.client, body.access_token)).toMatchObject({
      active: true,
      act: { sub: near.client.id },
    });
    expect(
      outcome(
        await exchange(server, near.client, third.identifier, { token, more: { scope: 'read' } }),
      ),
    ).toEqual([400, 'invalid_scope']);
  });

  test('gives no scope that the token was narrowed by, nor one that the client may not request', async () => {
    const scene = await newScene(server, { scope: 'openid profile email read write' });
    const { near, far, front, refreshToken } = scene;
    const grant = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      scope: 'profile read',
    };
    const both = named(near.identifier, far.identifier);
    const { body } = await tokenRequest(server, front, grant, both);
    const narrowed = { ...scene, token: String(body.access_token) };
    expect((await exchanged(narrowed)).body.scope).toBe('read');
    for (const scope of ['write', 'email', 'read write'])
      expect(outcome(await exchanged(narrowed, { scope }))).toEqual([400, 'invalid_scope']);
    await updateClient(near.client.id, { scopes: ['openid'] }, editing());
    expect(outcome(await exchanged(narrowed, { scope: 'profile' }))).toEqual([
      400,
      'invalid_scope',
    ]);
  });

  test('a chain keeps the narrowest scope, and cannot regain scopes', async () => {
    const scene = await newScene(server, { scope: 'openid profile read write' });
    const { near, far } = scene;
    const back = [far.identifier, near.identifier];
    await updateClient(near.client.id, { exchangeFor: back }, editing());
    await updateClient(
      far.client.id,
      { exchangeFor: back, grants: ['authorization_code', exchangeGrant] },
      editing(),
    );
    const less = await tokenOf(scene, { scope: 'read' });
    const there = await exchange(server, far.client, near.identifier, { token: less });
    // Exchanged back for the first API, the token has no more than what was passed on.
    expect(there.body.scope).toBe('read');
    const widened = await exchange(server, near.client, far.identifier, {
      token: String(there.body.access_token),
      more: { scope: 'write' },
    });
    expect(outcome(widened)).toEqual([400, 'invalid_scope']);
    const again = await exchange(server, far.client, far.identifier, {
      token: less,
      more: { scope: 'read write' },
    });
    expect(outcome(again)).toEqual([400, 'invalid_scope']);
    const same = await exchange(server, far.client, far.identifier, { token: less });
    expect(same.body.scope).toBe('read');
  });

  test('the new token ends with the exchanged one, and has no refresh token where either client has none', async () => {
    const scene = await newScene(server, { front: { accessTokenTtl: 100 } });
    await updateClient(scene.near.client.id, { accessTokenTtl: 5000 }, editing());
    const { body } = await exchanged(scene);
    expect(Number(body.expires_in)).toBeLessThanOrEqual(100);
    expect(body).not.toHaveProperty('refresh_token');
    const once = await newScene(server, {
      near: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
      front: { grants: ['authorization_code'] },
    });
    expect((await exchanged(once)).body).not.toHaveProperty('refresh_token');
  });

  test('its refresh token lives no longer than the authorization above it', async () => {
    const scene = await newScene(server, {
      near: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
      front: { refreshTokenTtl: 900, refreshTokenMaxTtl: 900, accessTokenTtl: 60 },
    });
    const { near, far } = scene;
    const { body } = await exchanged(scene);
    const row = (id: string) =>
      prisma().then((db) => db.authorization.findUniqueOrThrow({ where: { id } }));
    const child = await row((await readToken(String(body.refresh_token))).id);
    const parent = await row((await readToken(scene.token)).id);
    expect(child.endsAt?.getTime()).toBeLessThanOrEqual(parent.endsAt?.getTime() ?? 0);
    expect(child.keepUntil.getTime()).toBeLessThanOrEqual(parent.keepUntil.getTime());
    const again = () =>
      tokenRequest(server, near.client, {
        grant_type: 'refresh_token',
        refresh_token: String(body.refresh_token),
      });
    const refreshed = await again();
    expect(refreshed.status).toBe(200);
    expect(await seenBy(far.client, refreshed.body.access_token)).toMatchObject({
      active: true,
      scope: 'read',
      act: { sub: near.client.id },
    });
  });

  test('an exchange that an admin no longer permits ends: introspection is inactive, refresh invalid_grant', async () => {
    const scene = await newScene(server, {
      near: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
    });
    const { near, far } = scene;
    const { body } = await exchanged(scene);
    await updateClient(near.client.id, { exchangeFor: [] }, editing());
    expect(await seenBy(far.client, body.access_token)).toEqual(inactive);
    const refreshed = await tokenRequest(server, near.client, {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    });
    expect(outcome(refreshed)).toEqual([400, 'invalid_grant']);
  });

  test('at most four clients may be in the chain', async () => {
    const person = (await newScene(server)).person;
    const last = await newServed();
    const served = [last];
    for (let index = 0; index < 5; index += 1)
      served.unshift(await newServed([served[0]?.identifier ?? '']));
    const front = await newClient();
    const all = named(...served.map(({ identifier }) => identifier));
    const code = await codeFor(person, front, [['scope', 'read'], ...all]);
    const grant = { grant_type: 'authorization_code', code };
    const first = await tokenRequest(server, front, grant, named(served[0]?.identifier ?? ''));
    let answer = first;
    for (let index = 0; index < 5; index += 1) {
      const [from, to] = [served[index], served[index + 1]];
      if (!from || !to) throw new Error('There are six.');
      const token = String(answer.body.access_token);
      answer = await exchange(server, from.client, to.identifier, { token });
      expect(answer.status).toBe(index < 4 ? 200 : 400);
    }
    expect(answer.body.error).toBe('invalid_request');
    expect(await stepOf(answer)).toMatchObject({ rule: 'exchange.depth' });
  });
});

allAlike('token exchange with DPoP', () => {
  const url = `${server.issuer}/oauth/token`;
  test('binds the new token to the exchanging client’s key, and never makes a bound token a bearer token', async () => {
    const scene = await newScene(server);
    const { near, far, person, front } = scene;
    const key = await newDpopKey();
    const own = await newDpopKey();
    const code = await codeFor(person, front, [
      ['scope', 'read write'],
      ...named(near.identifier, far.identifier),
    ]);
    const sent = { ...credentials(front), grant_type: 'authorization_code', code };
    const bound = await post(
      server,
      '/oauth/token',
      [...Object.entries(sent), ...named(near.identifier)] as [string, string][],
      { DPoP: await proofOf(key, { url }) },
    );
    const token = String(bound.body.access_token);
    const loose = await exchange(server, near.client, far.identifier, { token });
    expect(outcome(loose)).toEqual([400, 'invalid_request']);
    expect(await stepOf(loose)).toMatchObject({ rule: 'exchange.unbound' });
    const proof = await proofOf(own, { url });
    const headers = { DPoP: proof };
    const answer = await exchange(server, near.client, far.identifier, { token, headers });
    expect(answer.body.token_type).toBe('DPoP');
    expect(await seenBy(far.client, answer.body.access_token)).toMatchObject({
      token_type: 'DPoP',
      cnf: { jkt: own.jkt },
    });
    const replayed = await exchange(other, near.client, far.identifier, { token, headers });
    expect(outcome(replayed)).toEqual([400, 'invalid_dpop_proof']);
    // The replay leaves nothing behind either, whatever else is requested with it.
    const more = { scope: 'read' };
    const narrower = { token, headers, more };
    expect((await exchange(server, near.client, far.identifier, narrower)).status).toBe(400);
    const kept = { where: { clientId: near.client.id } };
    expect(await (await prisma()).authorization.count(kept)).toBe(1);
    const wrong = { DPoP: await proofOf(own, { url }, { claims: { htm: 'GET' } }) };
    const faulty = await exchange(server, near.client, far.identifier, { token, headers: wrong });
    expect(outcome(faulty)).toEqual([400, 'invalid_dpop_proof']);
  });

  test('keeps the token bound at refresh, even for a client that may change its key', async () => {
    const scene = await newScene(server, {
      near: {
        grants: ['authorization_code', 'refresh_token', exchangeGrant],
        requireClientAuthOnRefresh: true,
      },
    });
    const { near, far, token } = scene;
    const key = await newDpopKey();
    const first = await exchange(server, near.client, far.identifier, {
      token,
      headers: { DPoP: await proofOf(key, { url }) },
    });
    const refresh = async (refresh_token: unknown, by: DpopKey | null) =>
      post(
        server,
        '/oauth/token',
        {
          ...credentials(near.client),
          grant_type: 'refresh_token',
          refresh_token: String(refresh_token),
        },
        by ? { DPoP: await proofOf(by, { url }) } : {},
      );
    const loose = await refresh(first.body.refresh_token, null);
    expect(outcome(loose)).toEqual([400, 'invalid_grant']);
    expect(await stepOf(loose)).toMatchObject({ rule: 'exchange.unbound' });
    const changed = await refresh(first.body.refresh_token, await newDpopKey());
    expect([changed.status, changed.body.token_type]).toEqual([200, 'DPoP']);
    expect(outcome(await refresh(changed.body.refresh_token, null))).toEqual([
      400,
      'invalid_grant',
    ]);
    expect((await refresh(changed.body.refresh_token, key)).body.token_type).toBe('DPoP');
    const plain = await newScene(server, {
      near: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
    });
    const bearer = await tokenRequest(server, plain.near.client, {
      grant_type: 'refresh_token',
      refresh_token: String((await exchanged(plain)).body.refresh_token),
    });
    expect([bearer.status, bearer.body.token_type]).toEqual([200, 'Bearer']);
  });
});

/** A scene with a chain of two exchanges. */
async function chain() {
  const scene = await newScene(server);
  const { far } = scene;
  const last = await newServed();
  const front = await newClient();
  await updateClient(
    far.client.id,
    {
      exchangeFor: [last.identifier],
      grants: ['authorization_code', 'refresh_token', exchangeGrant],
    },
    editing(),
  );
  await updateClient(
    scene.near.client.id,
    { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
    editing(),
  );
  const apis = [scene.near.identifier, far.identifier, last.identifier];
  const code = await codeFor(scene.person, front, [['scope', 'openid read'], ...named(...apis)]);
  const grant = { grant_type: 'authorization_code', code };
  const { body } = await tokenRequest(server, front, grant, named(scene.near.identifier));
  const token = String(body.access_token);
  const more = { scope: 'openid read' };
  const one = await exchange(server, scene.near.client, far.identifier, { token, more });
  const between = String(one.body.access_token);
  const two = await exchange(server, far.client, last.identifier, { token: between, more });
  const refreshToken = String(body.refresh_token);
  return { ...scene, front, last, token, refreshToken, one: one.body, two: two.body };
}
type Chain = Awaited<ReturnType<typeof chain>>;

/** Everything that ends the sign-in at the top, or something in the middle. */
const endings: Record<string, (scene: Chain) => Promise<unknown>> = {
  'the app revokes its refresh token': ({ front, refreshToken }) =>
    post(server, '/oauth/revoke', { ...credentials(front), token: refreshToken }),
  'the app revokes the token that was exchanged': ({ front, token }) =>
    post(server, '/oauth/revoke', { ...credentials(front), token }),
  'the authorization is revoked': async ({ token }) =>
    revokeAuthorization((await readToken(token)).id, now()),
  'the person removes the app': ({ front, person }) =>
    revokeGrants({ user: person.user.id, client: front.id }, cli, now()),
  'the person removes the API': ({ front, person, last }) =>
    withdrawScope(person.user.id, front.id, last.identifier, now()),
  'the person removes the app between': ({ near, person }) =>
    revokeGrants({ user: person.user.id, client: near.client.id }, cli, now()),
  'the person is disabled': ({ person }) => disableUser(person.user.id, cli, now()),
  'the person is deleted': ({ person }) => deleteUser(person.user.id, cli, now()),
  'the password is reset': ({ person }) =>
    resetPassword(person.user.id, 'another long pass phrase', cli, now()),
  'the app at the top is disabled': ({ front }) => disableClient(front.id, cli, now()),
  'the app between is disabled': ({ near }) => disableClient(near.client.id, cli, now()),
  'the app at the top is deleted': ({ front }) => deleteClient(front.id, cli, now()),
  'the app between is deleted': ({ near }) => deleteClient(near.client.id, cli, now()),
  'the person may use the app at the top no longer': async ({ front, person }) => {
    await updateClient(front.id, { access: 'listed' }, editing());
    await disallow(front.id, { groups: [], people: [person.user.id] }, [], now());
  },
  'the person may use the app between no longer': ({ near }) =>
    updateClient(near.client.id, { access: 'listed' }, editing()),
  'the app between may exchange no longer': ({ near }) =>
    updateClient(near.client.id, { exchangeFor: [] }, editing()),
  'the row at the top is gone': async ({ token }) =>
    write('DELETE FROM authorizations WHERE id = :id', { id: (await readToken(token)).id }),
};

describe('token exchange: ending a parent authorization ends its descendants', () => {
  test.each(Object.keys(endings))('when %s', async (name) => {
    const scene = await chain();
    const { near, far, last, one, two } = scene;
    // Both processes have seen both tokens.
    for (const at of [server, other]) {
      expect(await seenBy(far.client, one.access_token, at)).toMatchObject({ active: true });
      expect(await seenBy(last.client, two.access_token, at)).toMatchObject({ active: true });
      expect((await me(at, String(two.access_token))).status).toBe(200);
    }
    await endings[name]?.(scene);
    for (const at of [server, other]) {
      expect(await seenBy(last.client, two.access_token, at)).toEqual(inactive);
      expect((await me(at, String(two.access_token))).status).toBe(401);
    }
    const onward = await exchange(server, far.client, last.identifier, {
      token: String(one.access_token),
    });
    expect(onward.status).not.toBe(200);
    for (const [client, { refresh_token }] of [
      [near.client, one],
      [far.client, two],
    ] as const) {
      if (name.includes('API') && client === near.client) continue;
      const grant = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
      expect((await tokenRequest(server, client, grant)).status).not.toBe(200);
    }
  });

  test('a rule of an app earlier in the chain applies to refreshes of its descendants', async () => {
    const { near, far, front, one, two } = await chain();
    await updateClient(front.id, { requireSecondFactor: true }, editing());
    for (const [client, { refresh_token }] of [
      [far.client, two],
      [near.client, one],
    ] as const) {
      const grant = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
      const refused = await tokenRequest(server, client, grant);
      expect(outcome(refused)).toEqual([400, 'invalid_grant']);
      expect(await stepOf(refused)).toMatchObject({ rule: 'second-factor-required' });
    }
  });

  test('the authorizations above go on when one below ends', async () => {
    const { near, far, person, token, one, two, last } = await chain();
    await revokeGrants({ user: person.user.id, client: far.client.id }, cli, now());
    expect(await seenBy(last.client, two.access_token)).toEqual(inactive);
    expect(await seenBy(far.client, one.access_token)).toMatchObject({ active: true });
    expect(await seenBy(near.client, token)).toMatchObject({ active: true });
  });

  test('consent that came from an exchange is removed with its parent, direct consent stays', async () => {
    const { front, near, far, person } = await chain();
    const isThere = async ({ id }: TestClient) => (await findGrant(person.user.id, id)) !== null;
    // They also sign in to the farther app directly.
    const code = await codeFor(person, far.client, [['scope', 'openid']]);
    await tokenRequest(server, far.client, { grant_type: 'authorization_code', code });
    const all = [front, near.client, far.client];
    expect(await Promise.all(all.map(isThere))).toEqual([true, true, true]);
    await revokeGrants({ user: person.user.id, client: front.id }, cli, now());
    expect(await Promise.all(all.map(isThere))).toEqual([false, false, true]);
  });

  test('when the parent is revoked during exchanges in two processes', async () => {
    for (let round = 0; round < races(12); round += 1) {
      const scene = await newScene(server);
      const { front, far } = scene;
      const end = () =>
        post(round % 4 < 2 ? server : other, '/oauth/revoke', {
          ...credentials(front),
          token: round % 2 ? scene.refreshToken : scene.token,
        });
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, (_, index) =>
          exchanged(scene, {}, index % 2 ? server : other),
        ),
        end().then(() => null),
        ...Array.from({ length: 6 }, (_, index) =>
          exchanged(scene, {}, index % 2 ? server : other),
        ),
      ]);
      for (const answer of answers) {
        if (!answer) continue;
        if (answer.status !== 200) expect(told(answer).error).toBe('invalid_request');
        for (const at of [server, other])
          if (answer.status === 200)
            expect(await seenBy(far.client, answer.body.access_token, at)).toEqual(inactive);
      }
      expect(outcome(await exchanged(scene))).toEqual([400, 'invalid_request']);
    }
  });

  test('a token exchanged 52 times keeps the 50 latest, and ends the oldest', async () => {
    const scene = await newScene(server, {
      near: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
    });
    const answers: Answer[] = [];
    for (let index = 0; index < 52; index += 1) answers.push(await exchanged(scene));
    const states = await Promise.all(
      answers.map(({ body }) => seenBy(scene.far.client, body.access_token)),
    );
    expect(states.map(({ active }) => active)).toEqual([false, false, ...Array(50).fill(true)]);
    const kept = { clientId: scene.near.client.id, lineage: { not: '' } };
    expect(await (await prisma()).authorization.count({ where: kept })).toBe(50);
  });

  test('deleting an API ends the tokens exchanged for it', async () => {
    const scene = await newScene(server);
    const token = await tokenOf(scene);
    await changeApi(scene.far.apiId, null);
    expect(await seenBy(scene.near.client, token)).toEqual(inactive);
    expect(outcome(await exchanged(scene))).toEqual([400, 'invalid_target']);
  });
});
