import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { readIdTokenHint, sign } from '#lib/identity/signing.ts';
import { updateApi } from '#lib/management/api/apis.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { raiseRevision, readRevision } from '#lib/store/engine/revision.ts';
import { newApi } from '../support/apis.ts';
import { credentials, me, post } from '../support/app.ts';
import { decideOn, startDevice } from '../support/devices.ts';
import { newGroup } from '../support/groups.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import {
  codeFor,
  introspect,
  named,
  outcome,
  type Pairs,
  tokenRequest,
} from '../support/target.ts';
import { traceOf } from '../support/traces.ts';

const gatehouse = await openServer();
const person = await newPerson(gatehouse);
const inactive = { active: false };

const jwtApi = (options: Parameters<typeof newApi>[0] = {}) =>
  newApi({ tokenFormat: 'jwt', scopes: ['read'], ...options });
const redeem = (client: TestClient, code: string, more: Pairs = []) =>
  tokenRequest(gatehouse, client, { grant_type: 'authorization_code', code }, more);
const refresh = (client: TestClient, token: unknown, more: Pairs = []) =>
  tokenRequest(
    gatehouse,
    client,
    { grant_type: 'refresh_token', refresh_token: String(token) },
    more,
  );
const revoke = (client: TestClient, token: unknown) =>
  post(gatehouse, '/oauth/revoke', { ...credentials(client), token: String(token) });

/** The tokens of a sign-in for one API. */
async function tokensFor(
  client: TestClient,
  identifier: string,
  scope = 'openid read',
): Promise<{ access: string; refreshToken: string; body: Record<string, unknown> }> {
  const code = await codeFor(person, client, [['scope', scope], ...named(identifier)]);
  const { body } = await redeem(client, code);
  return { access: String(body.access_token), refreshToken: String(body.refresh_token), body };
}

describe('a JWT access token (RFC 9068 section 2)', () => {
  test('has typ at+jwt, a published key and the claims of the profile', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const { access, body } = await tokensFor(client, api.identifier);
    const keys = (await (await fetch(`${gatehouse.base}/oauth/jwks`)).json()) as {
      keys: { kid: string; alg: string }[];
    };
    const header = decodeProtectedHeader(access);
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) });
    expect(keys.keys.find(({ kid }) => kid === header.kid)?.alg).toBe('RS256');
    const claims = decodeJwt(access);
    expect(claims).toEqual({
      iss: gatehouse.issuer,
      aud: api.identifier,
      sub: person.user.id,
      client_id: client.id,
      scope: 'openid read',
      iat: expect.any(Number),
      exp: Number(claims.iat) + 600,
      jti: expect.any(String),
      auth_time: expect.any(Number),
      acr: expect.any(String),
      amr: ['pwd'],
    });
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'openid read' });
    const other = await tokensFor(client, api.identifier);
    expect(decodeJwt(other.access).jti).not.toBe(claims.jti);
  });

  test('the ID token beside it has its at_hash', async () => {
    const client = await newClient({ idTokenAlg: 'ES256' });
    const api = await jwtApi();
    const { access, body } = await tokensFor(client, api.identifier);
    expect(decodeProtectedHeader(access).alg).toBe('RS256');
    const half = Buffer.from(digest(access), 'base64url').subarray(0, 16).toString('base64url');
    expect(decodeJwt(String(body.id_token)).at_hash).toBe(half);
  });

  test('has the groups claim where the scope grants it, with the groups that the app may see', async () => {
    const told = await newGroup(person.user);
    await newGroup(person.user);
    const client = await newClient({ groupsPrefix: told, groupsClaim: 'teams' });
    const api = await jwtApi();
    const { access } = await tokensFor(client, api.identifier, 'groups read');
    expect(decodeJwt(access).groups).toEqual([told]);
    const without = await tokensFor(client, api.identifier, 'read');
    expect(decodeJwt(without.access)).not.toHaveProperty('groups');
  });

  test('has it under the name that the app has for it, if that reads the token as its default API', async () => {
    const told = await newGroup(person.user);
    const api = await jwtApi();
    const other = await jwtApi();
    const client = await newClient({
      groupsPrefix: told,
      groupsClaim: 'roles',
      defaultApi: `${api.identifier}/`,
    });
    const { access } = await tokensFor(client, api.identifier, 'groups read');
    expect(decodeJwt(access)).toMatchObject({ roles: [told] });
    const elsewhere = await tokensFor(client, other.identifier, 'groups read');
    expect(decodeJwt(elsewhere.access)).toMatchObject({ groups: [told] });
  });

  test('lives as long as its API says', async () => {
    const client = await newClient();
    const api = await jwtApi({ accessTokenTtl: 77 });
    expect((await tokensFor(client, api.identifier)).body.expires_in).toBe(77);
  });

  test('does not outlive the app’s signInLife', async () => {
    const client = await newClient({ signInLife: 300 });
    const api = await jwtApi();
    await person.signOut();
    await person.signIn();
    const { access, body } = await tokensFor(client, api.identifier);
    expect(Number(body.expires_in)).toBeLessThanOrEqual(300);
    const { exp = 0, iat = 0 } = decodeJwt(access);
    expect(exp - iat).toBeLessThanOrEqual(300);
  });

  test('of client_credentials has the client_id as sub, and no sign-in claims', async () => {
    const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
    const api = await jwtApi();
    const { body } = await tokenRequest(
      gatehouse,
      client,
      { grant_type: 'client_credentials', scope: 'read' },
      named(api.identifier),
    );
    const claims = decodeJwt(String(body.access_token));
    expect(claims).toEqual({
      iss: gatehouse.issuer,
      aud: api.identifier,
      sub: client.id,
      client_id: client.id,
      scope: 'read',
      iat: expect.any(Number),
      exp: Number(claims.iat) + 600,
      jti: expect.any(String),
    });
    expect(await introspect(gatehouse, client, body.access_token)).toMatchObject({
      active: true,
      aud: api.identifier,
      sub: client.id,
      scope: 'read',
    });
    await revoke(client, body.access_token);
    expect(await introspect(gatehouse, client, body.access_token)).toEqual(inactive);
  });

  test('of client_credentials is inactive once the client is disabled', async () => {
    const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
    const server = await newClient();
    const api = await jwtApi({ servedBy: [server.id] });
    const params = { grant_type: 'client_credentials' };
    const { body } = await tokenRequest(gatehouse, client, params, named(api.identifier));
    expect(await introspect(gatehouse, server, body.access_token)).toMatchObject({ active: true });
    const data = { disabledAt: new Date(), epoch: { increment: 1 } };
    await (await prisma()).client.update({ where: { id: client.id }, data });
    await raiseRevision();
    expect(await introspect(gatehouse, server, body.access_token)).toEqual(inactive);
  });
});

describe('a JWT access token is for one API', () => {
  test('for several is invalid_target; each API can be requested by itself', async () => {
    const client = await newClient();
    const one = await jwtApi();
    const other = await newApi({ scopes: ['write'] });
    const asked = named(one.identifier, other.identifier);
    const code = await codeFor(person, client, [['scope', 'read write'], ...asked]);
    for (const more of [[], asked]) {
      const refused = await redeem(client, code, more as Pairs);
      expect(outcome(refused)).toEqual([400, 'invalid_target']);
      expect(refused.body.error_description).toContain('one resource at a time');
    }
    const { body } = await redeem(client, code, named(one.identifier));
    expect(decodeJwt(String(body.access_token))).toMatchObject({
      aud: one.identifier,
      scope: 'read',
    });
    const opaque = await refresh(client, body.refresh_token, named(other.identifier));
    expect(opaque.body.access_token).toMatch(/^gh_at_/);
    expect(outcome(await refresh(client, opaque.body.refresh_token))).toEqual([
      400,
      'invalid_target',
    ]);
  });

  test('a repeated refresh gets the same JWT', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const { refreshToken } = await tokensFor(client, api.identifier);
    const first = await refresh(client, refreshToken);
    const again = await refresh(client, refreshToken);
    expect(again.body.access_token).toBe(first.body.access_token);
  });
});

describe('a JWT access token at this server’s endpoints', () => {
  test('is introspected for its own API’s servers and its client alone', async () => {
    const client = await newClient();
    const server = await newClient();
    const elsewhere = await newClient();
    const api = await jwtApi({ servedBy: [server.id] });
    await jwtApi({ servedBy: [elsewhere.id] });
    const { access } = await tokensFor(client, api.identifier);
    const { exp, iat, sub } = decodeJwt(access);
    expect(await introspect(gatehouse, server, access)).toMatchObject({
      active: true,
      aud: api.identifier,
      client_id: client.id,
      scope: 'openid read',
      exp,
      iat,
      sub,
      iss: gatehouse.issuer,
      username: person.user.username,
    });
    expect(await introspect(gatehouse, elsewhere, access)).toEqual(inactive);
    expect(await introspect(gatehouse, client, access)).toMatchObject({ active: true });
  });

  test('is inactive once revoked itself, by its refresh token or by the user', async () => {
    const client = await newClient();
    const server = await newClient();
    const api = await jwtApi({ servedBy: [server.id] });
    const byText = await tokensFor(client, api.identifier);
    const byRefresh = await tokensFor(client, api.identifier);
    const byUser = await tokensFor(client, api.identifier);
    const sees = async ({ access }: { access: string }) =>
      (await introspect(gatehouse, server, access)).active;
    await revoke(client, byText.access);
    expect([await sees(byText), await sees(byRefresh)]).toEqual([false, true]);
    expect((await refresh(client, byText.refreshToken)).status).toBe(200);
    await revoke(client, byRefresh.refreshToken);
    expect([await sees(byRefresh), await sees(byUser)]).toEqual([false, true]);
    const page = await person.open(`/account/apps/${client.id}`);
    await person.submit(
      { ...page, forms: page.forms.filter(({ fields }) => fields.scope === undefined) },
      '/account/apps/submit',
    );
    expect(await sees(byUser)).toBe(false);
    expect((await me(gatehouse, byUser.access)).status).toBe(401);
  });

  test('is not revoked by another client', async () => {
    const client = await newClient();
    const outsider = await newClient();
    const api = await jwtApi();
    const { access } = await tokensFor(client, api.identifier);
    await revoke(outsider, access);
    expect(await introspect(gatehouse, client, access)).toMatchObject({ active: true });
  });

  test('gives user information where openid was granted, else insufficient_scope', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const known = await tokensFor(client, api.identifier);
    const answer = await me(gatehouse, known.access);
    expect([answer.status, answer.body.sub]).toEqual([200, person.user.id]);
    const unknown = await tokensFor(client, api.identifier, 'profile read');
    expect(outcome(await me(gatehouse, unknown.access))).toEqual([403, 'insufficient_scope']);
  });
});

describe('token types are not interchangeable (RFC 9068 section 5)', () => {
  test('an ID token is no access token at user information, introspection or revocation', async () => {
    const client = await newClient();
    const server = await newClient({ resourceServer: true });
    const api = await jwtApi({ servedBy: [server.id] });
    const { body } = await tokensFor(client, api.identifier);
    expect((await me(gatehouse, String(body.id_token))).status).toBe(401);
    for (const who of [client, server])
      expect(await introspect(gatehouse, who, body.id_token)).toEqual(inactive);
    await revoke(client, body.id_token);
    expect((await me(gatehouse, String(body.access_token))).status).toBe(200);
  });

  test('an access token is no id_token_hint', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const { access } = await tokensFor(client, api.identifier);
    const page = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', id_token_hint: access }),
    );
    expect(new URL(page.at).searchParams.get('error')).toBe('invalid_request');
  });

  test('a JWT with another key, alg none, changed claims or another spelling is inactive', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const { access } = await tokensFor(client, api.identifier);
    const { kid } = decodeProtectedHeader(access);
    const [header = '', payload = '', signature = ''] = access.split('.');
    const forged = await new SignJWT(decodeJwt(access))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(kid) })
      .sign(new TextEncoder().encode('k'.repeat(64)));
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const changed = Buffer.from(
      JSON.stringify({ ...decodeJwt(access), aud: 'https://elsewhere.example' }),
    ).toString('base64url');
    // The last character of 256 encoded bytes has four bits without meaning.
    const last =
      signature.at(-1) === 'A' ? 'B' : String.fromCharCode(signature.charCodeAt(341) + 1);
    for (const wrong of [
      forged,
      `${unsigned}.${payload}.`,
      `${header}.${changed}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}${last}`,
      `${header}.${payload}.${signature}=`,
      `${access}.`,
      `eyJ${'A'.repeat(8000)}`,
    ]) {
      expect(await introspect(gatehouse, client, wrong)).toEqual(inactive);
    }
    expect(await introspect(gatehouse, client, access)).toMatchObject({ active: true });
  });

  test('the jti of a JWT access token is no access token', async () => {
    const client = await newClient();
    const api = await jwtApi();
    const { jti = '' } = decodeJwt((await tokensFor(client, api.identifier)).access);
    for (const text of [jti, `gh_at_${jti}`])
      expect(await introspect(gatehouse, client, text)).toEqual(inactive);
  });
});

describe('an API with the token format plain-jwt', () => {
  const plainApi = (server: TestClient) =>
    jwtApi({ tokenFormat: 'plain-jwt', servedBy: [server.id] });

  test('gets JWTs with typ JWT for users and clients, which work as others do', async () => {
    const server = await newClient();
    const client = await newClient({
      grants: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    const api = await plainApi(server);
    const { access, refreshToken } = await tokensFor(client, api.identifier);
    const own = await tokenRequest(gatehouse, client, { grant_type: 'client_credentials' }, [
      ...named(api.identifier),
    ]);
    const renewed = await refresh(client, refreshToken);
    const all = [access, own.body.access_token, renewed.body.access_token].map(String);
    for (const token of all) {
      expect(decodeProtectedHeader(token).typ).toBe('JWT');
      expect(await introspect(gatehouse, server, token)).toMatchObject({
        active: true,
        aud: api.identifier,
        client_id: client.id,
      });
    }
    expect((await me(gatehouse, access)).body.sub).toBe(person.user.id);
    await revoke(client, access);
    expect(await introspect(gatehouse, server, access)).toEqual(inactive);
  });

  test('alone accepts access tokens of typ JWT, as long as it has that format', async () => {
    const server = await newClient();
    const client = await newClient();
    const api = await plainApi(server);
    const strict = await jwtApi({ servedBy: [server.id] });
    const { access, body } = await tokensFor(client, api.identifier);
    const revision = await readRevision();
    const made = (claims: Record<string, unknown>) =>
      sign(claims, { alg: 'RS256', typ: 'JWT' }, revision, new Date());
    const other = await tokensFor(client, strict.identifier);
    const { client_id: _, ...anonymous } = decodeJwt(access);
    for (const token of [
      await made(decodeJwt(other.access)),
      await made(anonymous),
      await made({ ...decodeJwt(access), aud: [api.identifier, 'https://other.example'] }),
      String(body.id_token),
    ]) {
      expect(await introspect(gatehouse, server, token)).toEqual(inactive);
      expect((await me(gatehouse, token)).status).toBe(401);
    }
    await updateApi(api.id, { tokenFormat: 'jwt' }, { actor: { id: 'cli' }, now: new Date() });
    expect(await introspect(gatehouse, server, access)).toEqual(inactive);
  });

  test('has no tokens that pass as id_token_hint', async () => {
    const server = await newClient();
    const client = await newClient();
    const api = await plainApi(server);
    const { access, body } = await tokensFor(client, api.identifier);
    const hint = async (token: unknown) =>
      readIdTokenHint(String(token), await readRevision(), new Date());
    expect(await hint(access)).toBeNull();
    expect(await hint(body.id_token)).toMatchObject({ aud: client.id, sub: person.user.id });
  });
});

describe('the default API of an app', () => {
  const withDefault = async (more: Parameters<typeof newClient>[0] = {}) => {
    const { identifier } = await jwtApi();
    return { identifier, client: await newClient({ defaultApi: identifier, ...more }) };
  };

  test('is what its tokens are for if it names none, also after a refresh', async () => {
    const { client, identifier } = await withDefault();
    const code = await codeFor(person, client, [['scope', 'openid profile read']]);
    const { body } = await redeem(client, code);
    expect(decodeJwt(String(body.access_token)).aud).toBe(identifier);
    expect(body.scope).toBe('openid profile read');
    const again = (await refresh(client, body.refresh_token)).body;
    expect(decodeJwt(String(again.access_token)).aud).toBe(identifier);
  });

  test('leaves the user information open to tokens with openid', async () => {
    const { client } = await withDefault();
    const token = async (scope: string) =>
      String(
        (await redeem(client, await codeFor(person, client, [['scope', scope]]))).body.access_token,
      );
    expect((await me(gatehouse, await token('openid profile'))).status).toBe(200);
    expect((await me(gatehouse, await token('profile'))).status).toBe(403);
  });

  test('gives way to an API that the app names', async () => {
    const { client } = await withDefault();
    const other = await jwtApi();
    const { access } = await tokensFor(client, other.identifier);
    expect(decodeJwt(access).aud).toBe(other.identifier);
  });

  test('counts for tokens of the app itself and for devices', async () => {
    const { client, identifier } = await withDefault({
      grants: ['client_credentials', deviceGrant],
    });
    const { body } = await tokenRequest(gatehouse, client, { grant_type: 'client_credentials' });
    expect(decodeJwt(String(body.access_token)).aud).toBe(identifier);
    const started = await startDevice(gatehouse, client, credentials(client));
    await decideOn(person, started);
    const params = { grant_type: deviceGrant, device_code: started.device_code };
    const answer = await tokenRequest(gatehouse, client, params);
    expect(decodeJwt(String(answer.body.access_token)).aud).toBe(identifier);
  });

  test('is ignored and noted while there is no such API', async () => {
    const client = await newClient({ defaultApi: 'https://not-yet.example/api' });
    const code = await codeFor(person, client, [['scope', 'openid']]);
    const answer = await redeem(client, code);
    expect(String(answer.body.access_token)).not.toContain('.ey');
    expect((await traceOf(answer)).steps[0]?.notes).toContainEqual(
      expect.objectContaining({ rule: 'resource.ignored' }),
    );
  });
});
