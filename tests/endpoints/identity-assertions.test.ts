import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { signerFor } from '#lib/identity/signing.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { exchangeGrant, jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { idJagTokenType } from '#lib/oauth/id-jag.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { write } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { findGrant } from '#lib/store/grants.ts';
import { newApi } from '../support/apis.ts';
import { type Answer, credentials, me, post, tokensOf } from '../support/app.ts';
import { atProvider, newSub, verified } from '../support/at-provider.ts';
import { type DpopKey, newDpopKey, proofOf } from '../support/dpop.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { hasComeFarAt, overtaken } from '../support/overtaken.ts';
import { newPerson } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { giveIdentity } from '../support/providers.ts';
import { type ClientOptions, newClient, newUser, type TestClient } from '../support/seed.ts';
import { codeFor, introspect, named, outcome, tokenRequest } from '../support/target.ts';
import { readToken } from '../support/tokens.ts';
import { stepOf } from '../support/traces.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
/** Another process, with its own memory. */
const other = await server.secondProcess();
const { newWay, newLinked } = atProvider(server, idp);
const cli = { id: 'cli' };
const now = () => new Date();
const inactive = { active: false };
const elsewhere = 'https://other.example';
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
const refreshTokenType = 'urn:ietf:params:oauth:token-type:refresh_token';

// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
});

const ruleOf = async (answer: Answer) => (await stepOf(answer)).rule;

describe('an ID-JAG issued by token exchange (draft-ietf-oauth-identity-assertion-authz-grant section 4.3)', () => {
  const newTeller = (more: ClientOptions = {}) =>
    newClient({
      grants: ['authorization_code', 'refresh_token', exchangeGrant],
      identityFor: { [elsewhere]: 'app-there' },
      ...more,
    });
  const ask = (client: TestClient, subject: unknown, more: Record<string, string> = {}) =>
    tokenRequest(server, client, {
      grant_type: exchangeGrant,
      requested_token_type: idJagTokenType,
      audience: elsewhere,
      resource: 'https://api.other.example/mcp',
      subject_token: String(subject),
      subject_token_type: idTokenType,
      ...more,
    });
  async function signedIn(more: ClientOptions = {}, scope = 'openid email') {
    const person = await newPerson(server);
    const client = await newTeller(more);
    const code = await codeFor(person, client, [['scope', scope]]);
    const { body } = await tokenRequest(server, client, { grant_type: 'authorization_code', code });
    return { person, client, idToken: body.id_token, refreshToken: body.refresh_token, body };
  }

  test('has its own typ, the other server as aud and the app’s client_id there', async () => {
    const { person, client, idToken } = await signedIn();
    // An unverified email address is not passed on.
    const early = await ask(client, idToken);
    expect(decodeJwt(String(early.body.access_token))).not.toHaveProperty('email');
    await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: person.user.id });
    const { status, body, headers } = await ask(client, idToken, { scope: 'chat.read' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      issued_token_type: idJagTokenType,
      access_token: expect.any(String),
      token_type: 'N_A',
      expires_in: 300,
      scope: 'chat.read',
    });
    const jwt = String(body.access_token);
    expect(decodeProtectedHeader(jwt).typ).toBe('oauth-id-jag+jwt');
    const claims = decodeJwt(jwt);
    expect(claims).toMatchObject({
      iss: server.issuer,
      sub: person.user.id,
      aud: elsewhere,
      client_id: 'app-there',
      resource: 'https://api.other.example/mcp',
      scope: 'chat.read',
      email: person.user.email,
      email_verified: true,
      exp: Number(claims.iat) + 300,
      jti: expect.any(String),
      auth_time: expect.any(Number),
      amr: ['pwd'],
    });
    // This server does not accept it as anything else.
    expect((await me(server, jwt)).status).toBe(401);
    expect(await introspect(server, client, jwt)).toEqual(inactive);
    expect(outcome(await ask(client, jwt))).toEqual([400, 'invalid_request']);
  });

  test('is bound by a DPoP proof beside the request, which works once (section 8.6)', async () => {
    const { client, idToken } = await signedIn();
    const key = await newDpopKey();
    const url = `${server.issuer}/oauth/token`;
    const by = (proof: string, at = server) =>
      post(
        at,
        '/oauth/token',
        {
          ...credentials(client),
          grant_type: exchangeGrant,
          requested_token_type: idJagTokenType,
          audience: elsewhere,
          subject_token: String(idToken),
          subject_token_type: idTokenType,
        },
        { DPoP: proof },
      );
    const proof = await proofOf(key, { url });
    const { status, body } = await by(proof);
    expect([status, body.token_type]).toEqual([200, 'N_A']);
    expect(decodeJwt(String(body.access_token)).cnf).toEqual({ jkt: key.jkt });
    expect(outcome(await by(proof, other))).toEqual([400, 'invalid_dpop_proof']);
    const wrong = await proofOf(key, { url }, { claims: { htm: 'GET' } });
    expect(outcome(await by(wrong))).toEqual([400, 'invalid_dpop_proof']);
    const loose = await ask(client, idToken);
    expect(decodeJwt(String(loose.body.access_token))).not.toHaveProperty('cnf');
  });

  test('is refused with authorization_details (section 4.3.3)', async () => {
    const { client, idToken } = await signedIn();
    const more = { authorization_details: '[{"type":"chat_read"}]' };
    expect(outcome(await ask(client, idToken, more))).toEqual([400, 'invalid_request']);
  });

  test('is refused for a refresh token that came from an exchange', async () => {
    const { client, refreshToken } = await signedIn();
    const { id } = await readToken(String(refreshToken));
    const more = { subject_token_type: refreshTokenType };
    expect((await ask(client, refreshToken, more)).status).toBe(200);
    const lineage = (await newTeller()).id;
    await write('UPDATE authorizations SET lineage = :lineage WHERE id = :id', { id, lineage });
    expect(outcome(await ask(client, refreshToken, more))).toEqual([400, 'invalid_request']);
  });

  test('is refused for an expired, ended or altered ID token, an ended refresh token and a disabled user', async () => {
    const { client, idToken, refreshToken } = await signedIn();
    const both = async () => [
      (await ask(client, idToken)).status,
      (await ask(client, refreshToken, { subject_token_type: refreshTokenType })).status,
    ];
    const { id } = await readToken(String(refreshToken));
    const row = (change: string) =>
      write(`UPDATE authorizations SET ${change} WHERE id = :id`, { id, past: new Date(0) });
    expect(await both()).toEqual([200, 200]);
    await row('idle_until = :past');
    expect(await both()).toEqual([200, 400]);
    await row("idle_until = '2099-01-01'");
    await row('revoked_at = :past');
    expect(await both()).toEqual([400, 400]);
    const shutOut = await signedIn();
    const byRefresh = () =>
      ask(shutOut.client, shutOut.refreshToken, { subject_token_type: refreshTokenType });
    expect((await byRefresh()).status).toBe(200);
    await disableUser(shutOut.person.user.id, cli, now());
    expect(await ruleOf(await byRefresh())).toBe('identity.subject');
    const { jti: _, iat, ...claims } = decodeJwt(String(idToken));
    const sign = await signerFor('RS256', await readRevision(), now());
    const again = await signedIn();
    const told = decodeJwt(String(again.idToken));
    const good = await sign({ ...told }, 'JWT');
    expect((await ask(again.client, good)).status).toBe(200);
    const cases = [
      await sign({ ...told, exp: Number(iat) - 1 }, 'JWT'),
      await sign({ ...told, exp: undefined }, 'JWT'),
      await sign({ ...told }, 'at+jwt'),
      // As in an access token for an API that asks for JWTs of the plain type.
      await sign({ ...told, client_id: again.client.id }, 'JWT'),
      await sign({ ...told, sub: claims.sub }, 'JWT'),
      await sign({ ...told, aud: [again.client.id] }, 'JWT'),
      await sign({ ...told, auth_time: Number(told.auth_time) - 1 }, 'JWT'),
      await sign({ ...told, auth_time: undefined }, 'JWT'),
    ];
    for (const token of cases)
      expect(outcome(await ask(again.client, token))).toEqual([400, 'invalid_request']);
  });

  test('is issued for a refresh token, which stays valid; a used one is refused', async () => {
    const { person, client, refreshToken } = await signedIn({}, 'profile');
    await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: person.user.id });
    const more = { subject_token_type: refreshTokenType };
    const { body } = await ask(client, refreshToken, more);
    expect(decodeJwt(String(body.access_token))).not.toHaveProperty('email');
    const grant = { grant_type: 'refresh_token', refresh_token: String(refreshToken) };
    const next = await tokenRequest(server, client, grant);
    expect(next.status).toBe(200);
    // A refresh token that was already used yields nothing, and ends nothing.
    expect(outcome(await ask(client, refreshToken, more))).toEqual([400, 'invalid_request']);
    expect((await me(server, String(next.body.access_token))).status).toBe(200);
  });

  test('is refused for an audience that no admin named, for none, and for an invalid resource', async () => {
    const { client, idToken } = await signedIn();
    const wrong = await ask(client, idToken, { audience: 'https://evil.example' });
    expect(outcome(wrong)).toEqual([400, 'invalid_target']);
    expect(await ruleOf(wrong)).toBe('identity.not-permitted');
    expect(outcome(await ask(client, idToken, { audience: '' }))).toEqual([400, 'invalid_request']);
    expect((await ask(client, idToken, { audience: `${elsewhere}/` })).status).toBe(200);
    for (const resource of ['nowhere', 'https://a.example/#x'])
      expect(outcome(await ask(client, idToken, { resource }))).toEqual([400, 'invalid_target']);
  });

  test('is refused for another app’s ID token, an access token and a forged token', async () => {
    const { person, client, idToken, body } = await signedIn();
    const another = await newTeller();
    const foreign = await ask(another, idToken);
    expect(outcome(foreign)).toEqual([400, 'invalid_request']);
    expect(await ruleOf(foreign)).toBe('identity.subject');
    const forged = `${String(idToken).slice(0, -8)}AAAAAAAA`;
    const others = await tokensOf(server, person);
    for (const token of [body.access_token, forged, others.refresh_token, 'x'])
      for (const type of [idTokenType, refreshTokenType])
        expect(outcome(await ask(client, token, { subject_token_type: type }))).toEqual([
          400,
          'invalid_request',
        ]);
  });

  test('has the app’s pairwise sub, and an ID token with a pairwise sub is accepted', async () => {
    const redirectUris = [`https://${newSub()}.example/cb`];
    const { person, client, idToken, refreshToken } = await signedIn({
      subjectType: 'pairwise',
      redirectUris,
    });
    const { sub } = decodeJwt(String(idToken));
    expect(sub).toMatch(/^[A-Za-z0-9_-]{43}$/);
    // Another person signs in to it in the same second.
    const another = await newPerson(server);
    const code = await codeFor(another, client, [['scope', 'openid']]);
    const { body } = await tokenRequest(server, client, { grant_type: 'authorization_code', code });
    const people = [person.user.id, another.user.id];
    for (const userId of people)
      await write('UPDATE authorizations SET auth_time = $2 WHERE user_id = $1', [
        userId,
        new Date(Number(decodeJwt(String(idToken)).auth_time) * 1000),
      ]);
    const byIdToken = await ask(client, idToken);
    const byRefreshToken = await ask(client, refreshToken, {
      subject_token_type: refreshTokenType,
    });
    for (const answer of [byIdToken, byRefreshToken]) {
      expect(answer.status).toBe(200);
      const told = decodeJwt(String(answer.body.access_token));
      expect(told.sub).toBe(sub);
      for (const userId of people) expect(JSON.stringify(told)).not.toContain(userId);
    }
    expect(decodeJwt(String(body.id_token)).sub).not.toBe(sub);
    // The assertion names the person whose sign-in it was.
    await revokeGrants({ user: person.user.id, client: client.id }, cli, now());
    expect(outcome(await ask(client, idToken))).toEqual([400, 'invalid_request']);
  });

  test('is refused once access is withdrawn, the user disabled or a second factor required', async () => {
    const removed = await signedIn();
    await revokeGrants({ user: removed.person.user.id, client: removed.client.id }, cli, now());
    const disabled = await signedIn();
    await disableUser(disabled.person.user.id, cli, now());
    for (const { client, idToken } of [removed, disabled])
      expect(outcome(await ask(client, idToken))).toEqual([400, 'invalid_request']);
    const barred = await signedIn({ access: 'listed' }).catch(() => null);
    expect(barred).toBeNull();
    const strict = await signedIn();
    await updateClient(strict.client.id, { requireSecondFactor: true }, { actor: cli, now: now() });
    const answer = await ask(strict.client, strict.idToken);
    expect(outcome(answer)).toEqual([400, 'insufficient_user_authentication']);
    expect(answer.body.acr_values).toBe('urn:gatehouse:mfa');
    expect(await ruleOf(answer)).toBe('second-factor-required');
  });

  test('is issued only to members of the group set for the other server', async () => {
    const group = await createGroup({ name: `staff-${newSub()}` }, cli, now());
    const { person, client, idToken } = await signedIn({
      identityGroups: { [elsewhere]: group.name },
    });
    const refused = await ask(client, idToken);
    expect(outcome(refused)).toEqual([400, 'invalid_request']);
    expect(await ruleOf(refused)).toBe('identity.group');
    await addMembers(group.id, [person.user.id], cli, now());
    expect((await ask(client, idToken)).status).toBe(200);
  });
});

describe('an ID-JAG of another server at the token endpoint (section 4.4)', () => {
  const newReceiver = (more: ClientOptions = {}) =>
    newClient({ grants: [jwtBearerGrant], ...more });
  const send = (
    client: TestClient,
    assertion: string,
    more: Record<string, string> = {},
    at = server,
  ) => tokenRequest(at, client, { grant_type: jwtBearerGrant, assertion, ...more });
  /** A provider whose assertions are accepted, a user linked to it, an app and an API. */
  async function scene(more: Parameters<typeof newWay>[0] = {}) {
    await write('DELETE FROM providers', {});
    const way = await newWay({ acceptsAssertions: true, ...more });
    const linked = await newLinked(way);
    const api = await newApi({ scopes: ['read', 'write'] });
    const client = await newReceiver();
    const claims = { aud: server.issuer, client_id: client.id, sub: linked.subject };
    const say = (told: Record<string, unknown> = {}, lies: Lies = {}) =>
      idp.assertion({ ...claims, resource: api.identifier, scope: 'read', ...told }, lies);
    return { ...linked, way, api, client, say };
  }

  test('gives an access token of the linked account, for the API and scope that it names', async () => {
    const { user, api, client, say } = await scene();
    const { status, body } = await send(client, await say({ scope: 'openid read' }));
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect(body.scope).toBe('read');
    expect(await introspect(server, client, body.access_token)).toMatchObject({
      active: true,
      sub: user.id,
      client_id: client.id,
      aud: api.identifier,
      scope: 'read',
    });
    await revokeGrants({ user: user.id, client: client.id }, cli, now());
    expect(await introspect(server, client, body.access_token)).toEqual(inactive);
  });

  test('gives an access token with the app’s pairwise sub', async () => {
    const { user, api, say } = await scene();
    const client = await newReceiver({
      subjectType: 'pairwise',
      redirectUris: [`https://${newSub()}.example/cb`],
    });
    const jwtApi = await newApi({ scopes: ['read'], tokenFormat: 'jwt' });
    const said = { client_id: client.id };
    const opaque = await send(client, await say(said));
    const seen = await introspect(server, client, opaque.body.access_token);
    expect(seen).toMatchObject({ active: true, aud: api.identifier });
    expect(seen.sub).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const jwt = await send(client, await say({ ...said, resource: jwtApi.identifier }));
    expect(decodeJwt(String(jwt.body.access_token)).sub).toBe(seen.sub);
    expect(JSON.stringify(seen)).not.toContain(user.id);
  });

  test('with cnf.jkt needs a DPoP proof by that key (section 8.6)', async () => {
    const { client, say } = await scene();
    const key = await newDpopKey();
    const stranger = await newDpopKey();
    const url = `${server.issuer}/oauth/token`;
    const by = async (assertion: string, owner: DpopKey | null) =>
      post(
        server,
        '/oauth/token',
        { ...credentials(client), grant_type: jwtBearerGrant, assertion },
        owner ? { DPoP: await proofOf(owner, { url }) } : {},
      );
    const bound = await say({ cnf: { jkt: key.jkt } });
    for (const owner of [null, stranger]) {
      const answer = await by(bound, owner);
      expect(outcome(answer)).toEqual([400, 'invalid_grant']);
      expect(await ruleOf(answer)).toBe('dpop.other-key');
    }
    const { status, body } = await by(bound, key);
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    expect(await introspect(server, client, body.access_token)).toMatchObject({
      cnf: { jkt: key.jkt },
    });
    for (const cnf of [{ 'x5t#S256': 'x' }, {}, { jkt: 5 }, { jkt: '' }, 'x', null])
      expect(outcome(await by(await say({ cnf }), key))).toEqual([400, 'invalid_grant']);
    // Without cnf the token is bound as well.
    expect((await by(await say(), stranger)).body.token_type).toBe('DPoP');
    const wrong = await proofOf(key, { url }, { claims: { htm: 'GET' } });
    const faulty = await post(
      server,
      '/oauth/token',
      { ...credentials(client), grant_type: jwtBearerGrant, assertion: await say() },
      { DPoP: wrong },
    );
    expect(outcome(faulty)).toEqual([400, 'invalid_dpop_proof']);
    const changes = { dpopBoundAccessTokens: true };
    await updateClient(client.id, changes, { actor: cli, now: now() });
    expect(outcome(await by(await say(), null))).toEqual([400, 'invalid_dpop_proof']);
  });

  test('is not spent by a request with a used DPoP proof', async () => {
    const { client, say } = await scene();
    const proof = await proofOf(await newDpopKey(), { url: `${server.issuer}/oauth/token` });
    const by = (assertion: string, at = server) =>
      post(
        at,
        '/oauth/token',
        { ...credentials(client), grant_type: jwtBearerGrant, assertion },
        { DPoP: proof },
      );
    expect((await by(await say())).status).toBe(200);
    const next = await say();
    expect(outcome(await by(next, other))).toEqual([400, 'invalid_dpop_proof']);
    expect((await send(client, next)).status).toBe(200);
  });

  test('issued by this server itself is refused (section 8.3)', async () => {
    const { client, user, api } = await scene();
    const issuers = [server.issuer, `${server.issuer}/realms/acme`];
    for (const issuer of issuers) {
      const own = await newWay({ acceptsAssertions: true, issuer });
      await giveIdentity(user.id, own.id, { issuer, subject: user.id });
      const sign = await signerFor('RS256', await readRevision(), now());
      const at = Math.floor(Date.now() / 1000);
      const said = { iss: issuer, sub: user.id, aud: server.issuer, client_id: client.id };
      const times = { iat: at, exp: at + 300, jti: newSub(), resource: api.identifier };
      const answer = await send(client, await sign({ ...said, ...times }, 'oauth-id-jag+jwt'));
      expect(outcome(answer)).toEqual([400, 'invalid_grant']);
      expect(await ruleOf(answer)).toBe('assertion.issuer');
    }
  });

  test('for the issuer of a realm is accepted only at that realm’s app', async () => {
    const { say } = await scene();
    const client = await newReceiver({ oldIssuer: '/realms/b' });
    await newReceiver({ oldIssuer: '/realms/a' });
    const by = async (aud: string, path = '/oauth/token') => {
      const assertion = await say({ aud, client_id: client.id });
      const sent = { ...credentials(client), grant_type: jwtBearerGrant, assertion };
      return (await post(server, path, sent)).status;
    };
    const ends = (realm: string) => `/realms/${realm}/protocol/openid-connect/token`;
    const [a, b] = [`${server.issuer}/realms/a`, `${server.issuer}/realms/b`];
    expect([await by(server.issuer), await by(a), await by(b, ends('a'))]).toEqual([400, 400, 401]);
    expect([await by(b), await by(b, ends('b'))]).toEqual([200, 200]);
  });

  test('with the same jti as one of another provider is accepted; a provider cannot sign for another', async () => {
    const { client, say, user } = await scene();
    const jti = newSub();
    expect((await send(client, await say({ jti }))).status).toBe(200);
    const second = await LyingProvider.open();
    const way = await newWay({ acceptsAssertions: true, issuer: second.issuer });
    await giveIdentity(user.id, way.id, { issuer: second.issuer, subject: 'x' });
    const about = { aud: server.issuer, client_id: client.id, sub: 'x', jti };
    const theirs = await second.assertion(about);
    expect((await send(client, theirs)).status).toBe(200);
    // A provider cannot sign for another one, neither under its name nor for people linked to it.
    const forged = await second.assertion({ ...about, iss: idp.issuer, jti: newSub() });
    expect(outcome(await send(client, forged))).toEqual([400, 'invalid_grant']);
  });

  test('works once, across two processes', async () => {
    const { client, say } = await scene();
    const assertion = await say();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(client, assertion, {}, index % 2 ? server : other),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await send(client, assertion, {}, other);
    expect(outcome(again)).toEqual([400, 'invalid_grant']);
    expect(await ruleOf(again)).toBe('assertion.used');
    // It is remembered for as long as it is valid by any clock that is close enough, and for a
    // minute more.
    const kept = await (await prisma()).spentValue.findMany({
      where: { hash: { startsWith: 'id-jag:' } },
      orderBy: { expiresAt: 'desc' },
    });
    const { exp } = decodeJwt(assertion);
    expect(kept[0]?.expiresAt.getTime()).toBe((Number(exp) + 30 + 60) * 1000);
  });

  const hour = () => Math.floor(Date.now() / 1000) + 3600;
  test.each<[string, Record<string, unknown>, Lies]>([
    ['an ID token', {}, { header: { typ: 'JWT' } }],
    ['an access token', {}, { header: { typ: 'at+jwt' } }],
    ['a logout token', {}, { header: { typ: 'logout+jwt' } }],
    ['no type', {}, { header: { typ: undefined } }],
    ['another key', {}, { foreignKey: true }],
    ['no signature', {}, { unsigned: true }],
    ['the audience of somebody else', { aud: 'https://other.example' }, {}],
    ['the token endpoint as audience', { aud: `${server.issuer}/oauth/token` }, {}],
    ['several audiences', { aud: [server.issuer, 'https://other.example'] }, {}],
    ['another app', { client_id: 'another' }, {}],
    ['no app', { client_id: undefined }, {}],
    ['no jti', { jti: undefined }, {}],
    ['no end', { exp: undefined }, {}],
    ['an end in the past', { exp: 1_700_000_000 }, {}],
    ['an end in a day', { exp: hour() + 86_400 }, {}],
    ['a time to come', { iat: hour() }, {}],
    ['nobody', { sub: undefined }, {}],
    ['somebody who is not here', { sub: 'unknown' }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['an issuer with a slash', { iss: `${idp.issuer}/` }, {}],
    ['a list of audiences without us', { aud: ['https://other.example'] }, {}],
    ['this server twice', { aud: [server.issuer, server.issuer] }, {}],
    ['this server with a slash', { aud: `${server.issuer}/` }, {}],
    ['an app in a list', { client_id: ['x'] }, {}],
    ['an app that it names as its audience', { client_id: server.issuer }, {}],
    ['a jti without end', { jti: 'j'.repeat(300) }, {}],
    ['an empty jti', { jti: '' }, {}],
    ['no beginning', { iat: undefined }, {}],
    ['a beginning to come', { nbf: hour() }, {}],
    [
      'a secret that both know',
      {},
      { secret: 'x'.repeat(32), header: { typ: 'oauth-id-jag+jwt' } },
    ],
    ['authorization_details', { authorization_details: [{ type: 'read' }] }, {}],
  ])('%s is refused', async (_, told, lies) => {
    const { client, say } = await scene();
    expect(outcome(await send(client, await say(told, lies)))).toEqual([400, 'invalid_grant']);
  });

  test('is refused where the provider does not accept assertions, or is disabled', async () => {
    for (const changes of [{ acceptsAssertions: false }, { enabled: false }]) {
      const { client, say } = await scene(changes);
      const answer = await send(client, await say());
      expect(outcome(answer)).toEqual([400, 'invalid_grant']);
      expect(await ruleOf(answer)).toBe('assertion.issuer');
    }
  });

  test('is matched by email address only where an admin allows it and both sides have verified it', async () => {
    const person = await newUser();
    const about = { sub: 'not-linked', ...verified(person.email) };
    const strict = await scene();
    expect(outcome(await send(strict.client, await strict.say(about)))).toEqual([
      400,
      'invalid_grant',
    ]);
    const open = await scene({ matchesAddresses: true });
    const unproved = await send(open.client, await open.say(about));
    expect(outcome(unproved)).toEqual([400, 'invalid_grant']);
    await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: person.id });
    const said = { ...about, email_verified: false };
    expect((await send(open.client, await open.say(said))).status).toBe(400);
    expect((await send(open.client, await open.say(about))).status).toBe(200);
    // A user name is not an address, and an address is never matched with a user name.
    const byName = verified(person.username);
    const nameless = await open.say({ sub: 'not-linked', ...byName });
    expect((await send(open.client, nameless)).status).toBe(400);
    // Another spelling is another mailbox, even where both have the same lookup key.
    const spellings = [
      person.email.replace('person', 'person\u2060'),
      person.email.replace('p', 'ｐ'),
    ];
    for (const email of spellings) {
      const told = { sub: 'not-linked', ...verified(email) };
      const answer = await send(open.client, await open.say(told));
      expect(outcome(answer)).toEqual([400, 'invalid_grant']);
    }
    // The link decides who a linked person is, whatever the address says.
    const linked = await send(open.client, await open.say(verified(person.email)));
    expect(await introspect(server, open.client, linked.body.access_token)).toMatchObject({
      sub: open.user.id,
    });
  });

  test('is matched by email address never for an account with a role, or with another identity of the issuer', async () => {
    const { client, say, user, subject } = await scene({ matchesAddresses: true });
    const told = { sub: newSub(), ...verified(user.email) };
    await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: user.id });
    // Their address may belong to somebody else at the provider by now.
    const recycled = await send(client, await say(told));
    expect(outcome(recycled)).toEqual([400, 'invalid_grant']);
    expect(await ruleOf(recycled)).toBe('assertion.nobody');
    expect((await send(client, await say({ ...told, sub: subject }))).status).toBe(200);
    for (const change of ['is_admin = TRUE', "role = 'support'", "role = 'auditor'"]) {
      const one = await newUser();
      const about = { sub: newSub(), ...verified(one.email) };
      await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: one.id });
      expect((await send(client, await say(about))).status).toBe(200);
      await write(`UPDATE users SET ${change} WHERE id = :id`, { id: one.id });
      expect(outcome(await send(client, await say(about)))).toEqual([400, 'invalid_grant']);
    }
  });

  test('that is faulty is the app’s fault, and the answer speaks of the assertion', async () => {
    const { client, say } = await scene();
    for (const lies of [{ header: { typ: 'JWT' } }, { foreignKey: true }]) {
      const answer = await send(client, await say({}, lies));
      expect(outcome(answer)).toEqual([400, 'invalid_grant']);
      expect(answer.body.error_description).toContain('The assertion is invalid');
      expect(await ruleOf(answer)).toBe('assertion.invalid');
    }
  });

  test('says nothing about the time of the sign-in if the other server does not', async () => {
    const { client, say } = await scene();
    const at = Math.floor(Date.now() / 1000) - 3600;
    const seen = async (told: Record<string, unknown>) => {
      const { body } = await send(client, await say(told));
      return introspect(server, client, body.access_token);
    };
    expect(await seen({ auth_time: at })).toMatchObject({ auth_time: at });
    for (const auth_time of [undefined, null, 'yesterday', -1, {}, at + 7200])
      expect(await seen({ auth_time })).not.toHaveProperty('auth_time');
    await updateClient(client.id, { maxSignInAge: 600 }, { actor: cli, now: now() });
    const old = await send(client, await say({ auth_time: at }));
    expect(outcome(old)).toEqual([400, 'insufficient_user_authentication']);
    expect(old.body.max_age).toBe(600);
    expect(outcome(await send(client, await say()))).toEqual([400, old.body.error]);
    const fresh = { auth_time: Math.floor(Date.now() / 1000) - 5 };
    expect((await send(client, await say(fresh))).status).toBe(200);
  });

  test('never gives a wider scope, another API or an unknown one', async () => {
    const { client, say, api } = await scene();
    expect(outcome(await send(client, await say(), { scope: 'read write' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    const another = await newApi({ scopes: ['read'] });
    const wider = await tokenRequest(
      server,
      client,
      { grant_type: jwtBearerGrant, assertion: await say() },
      named(another.identifier),
    );
    expect(outcome(wider)).toEqual([400, 'invalid_target']);
    const unknown = await send(client, await say({ resource: 'https://nowhere.example' }));
    expect(outcome(unknown)).toEqual([400, 'invalid_target']);
    const listed = await newApi({ access: 'listed', scopes: ['read'] });
    const foreign = await send(client, await say({ resource: listed.identifier }));
    expect(outcome(foreign)).toEqual([400, 'invalid_target']);
    const slash = await send(client, await say({ resource: `${api.identifier}/` }));
    expect(slash.status).toBe(200);
    const jwts = await newApi({ scopes: ['read'], tokenFormat: 'jwt' });
    const both = await say({ resource: [api.identifier, jwts.identifier] });
    expect(outcome(await send(client, both))).toEqual([400, 'invalid_target']);
  });

  test('is refused to a user who may not use the app, is disabled or lacks the second factor', async () => {
    const { client, say, user } = await scene();
    await updateClient(client.id, { access: 'listed' }, { actor: cli, now: now() });
    const barred = await send(client, await say());
    expect(outcome(barred)).toEqual([400, 'invalid_grant']);
    expect(await ruleOf(barred)).toBe('access.not-listed');
    await allow(client.id, { groups: [], people: [user.id] }, [], now());
    expect((await send(client, await say())).status).toBe(200);
    await updateClient(client.id, { requireSecondFactor: true }, { actor: cli, now: now() });
    expect(outcome(await send(client, await say({ amr: ['mfa'] })))).toEqual([
      400,
      'insufficient_user_authentication',
    ]);
    const trusting = await scene({ trustsSecondFactor: true });
    await updateClient(
      trusting.client.id,
      { requireSecondFactor: true },
      { actor: cli, now: now() },
    );
    expect((await send(trusting.client, await trusting.say({ amr: ['mfa'] }))).status).toBe(200);
    await disableUser(user.id, cli, now());
    expect((await send(client, await say({ amr: ['mfa'] }))).status).toBe(400);
  });

  test('is refused when access ends while it is being judged', async () => {
    const { client, say, user } = await scene();
    const changes = { access: 'listed' } as const;
    await updateClient(client.id, changes, { actor: cli, now: now() });
    await allow(client.id, { groups: [], people: [user.id] }, [], now());
    const assertion = await say();
    const { answer } = await overtaken(
      () => disallow(client.id, { groups: [], people: [user.id] }, [], now()),
      () => send(client, assertion, {}, other),
      hasComeFarAt(other),
    );
    expect(outcome(answer)).toEqual([400, 'invalid_grant']);
    expect(await ruleOf(answer)).toBe('assertion.nobody');
  });

  test('is accepted only for users of the provider’s domains', async () => {
    const { client, say } = await scene({ domains: ['ours.example'] });
    const from = (domain: string, isProved = true) =>
      say({ email: `x@${domain}`, email_verified: isProved });
    for (const said of [say(), from('evil.example'), from('ours.example', false)])
      expect(outcome(await send(client, await said))).toEqual([400, 'invalid_grant']);
    expect((await send(client, await from('ours.example'))).status).toBe(200);
  });

  test('remembers no consent, and believes no auth_time to come', async () => {
    const { client, say, user } = await scene();
    const { body } = await send(client, await say({ auth_time: hour() }));
    const told = await introspect(server, client, body.access_token);
    expect(told).not.toHaveProperty('auth_time');
    expect((await findGrant(user.id, client.id))?.remembered).toEqual([]);
  });

  test('needs a client that authenticates and has the grant', async () => {
    const { client, say } = await scene();
    const wrong = { ...client, secret: 'gh_cs_wrong' };
    expect(outcome(await send(wrong, await say()))).toEqual([401, 'invalid_client']);
    const usual = await newClient();
    expect(outcome(await send(usual, await say({ client_id: usual.id })))).toEqual([
      400,
      'unauthorized_client',
    ]);
    expect(outcome(await tokenRequest(server, client, { grant_type: jwtBearerGrant }))).toEqual([
      400,
      'invalid_request',
    ]);
    const open = await newReceiver({ type: 'public' });
    const assertion = await say({ client_id: open.id });
    const sent = { grant_type: jwtBearerGrant, client_id: open.id, assertion };
    expect(outcome(await post(server, '/oauth/token', sent))).toEqual([400, 'unauthorized_client']);
  });
});
