import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { createGroup } from '#lib/management/group/groups.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { png } from '../support/pictures.ts';
import { newUser } from '../support/seed.ts';
import { tokenRequest } from '../support/target.ts';

const server = await openServer();
const call = (line: string, sent?: Sent) => callApi(server, line, sent);
const key = await keyWith(['client:loosen', 'secret:loosen']);
const problem = (status: number, detail: unknown = expect.any(String)) => ({
  status,
  body: { status, detail },
});
const redirect_uris = ['https://app.example.org/callback'];

async function made(more: Record<string, unknown> = {}) {
  const json = { name: 'Wiki', redirect_uris, ...more };
  const answer = await call('POST /clients', { key, json });
  expect(answer.status).toBe(201);
  const { client_secret: secret, ...body } = answer.body;
  return { ...answer, id: String(body.client_id), body, secret: secret as string | null };
}
const show = async (id: string) => (await call(`GET /clients/${id}`, { key })).body;

/** Whether an app gets a token with this secret. */
async function takes(id: string, secret: unknown): Promise<boolean> {
  const client = { id, secret: String(secret) } as Parameters<typeof tokenRequest>[1];
  const { status } = await tokenRequest(server, client, { grant_type: 'client_credentials' });
  return status === 200;
}
const service = { grants: ['client_credentials'], redirect_uris: [], scopes: [] };

describe('an app in the API', () => {
  test('is created with a secret that is returned once, and is shown, listed and deleted', async () => {
    const name = unique('App');
    const { id, body, secret, headers } = await made({ name, require_pkce: true });
    expect(secret).toMatch(/^gh_/);
    expect(headers.get('location')).toBe(`${server.issuer}/api/v1/clients/${id}`);
    expect(body).toMatchObject({ name, type: 'confidential', redirect_uris, require_pkce: true });
    const shown = await call(`GET /clients/${id}`, { key });
    expect(shown.body).toEqual(body);
    expect(JSON.stringify(shown.body)).not.toContain(secret);
    const { body: list } = await call(`GET /clients?q=${name}&type=confidential`, { key });
    expect(list).toMatchObject({ clients: [{ client_id: id, name }], next: null });
    expect((await call(`GET /clients?q=${name}&type=public`, { key })).body.clients).toEqual([]);
    const gone = await call(`DELETE /clients/${id}`, { key });
    expect(gone.body).toEqual({ client_id: id, name, shown_name: name, deleted: true });
    expect(await call(`GET /clients/${id}`, { key })).toMatchObject(problem(404));
  });

  test('is returned with the fields it was created with, so that a copy can be created from them', async () => {
    const { body } = await made({
      description: 'x',
      scopes: ['openid'],
      access_token_ttl: 600,
      send_iss: false,
      networks: ['192.0.2.0/24'],
      constant_claims: { plan: 'pro' },
      max_sign_in_age: null,
    });
    const { client_id: _, shown_name, disabled, secrets, created_at, updated_at, ...rest } = body;
    const {
      contacts,
      allowed_groups,
      allowed_users,
      allowed_user_ends: ___,
      logo: __,
      ...said
    } = rest;
    const again = await made({ ...said, contacts, allowed_groups, allowed_users });
    const same = { ...again.body, client_id: _, shown_name, created_at, updated_at, secrets };
    expect(same).toEqual({ ...body, disabled });
  });

  test('is created with contacts, listed users and logo, or not at all if one is unknown', async () => {
    const { name: group } = await createGroup({ name: unique('staff') }, { id: 'cli' }, new Date());
    const ann = await newUser();
    const people = { contacts: [ann.username], allowed_groups: [group], allowed_users: [ann.id] };
    const picture = png(64, 64).toString('base64');
    const { body } = await made({ ...people, logo: picture });
    const named = { ...people, allowed_users: [ann.username], access: 'listed' };
    expect(body).toMatchObject({ ...named, logo: expect.any(String) });
    for (const [field, value] of [
      ['contacts', ['nobody']],
      ['allowed_groups', ['none']],
      ['allowed_users', ['nobody']],
      ['logo', 'bm9uZQ=='],
    ] as const) {
      const client_id = unique('app');
      const json = { name: 'x', redirect_uris, client_id, [field]: value };
      const answer = await call('POST /clients', { key, json });
      expect(answer).toMatchObject(problem(422));
      expect(answer.body.errors).toMatchObject([{ field }]);
      expect(await call(`GET /clients/${client_id}`, { key })).toMatchObject(problem(404));
    }
  });

  test.each([
    [{ redirect_uris: ['http://app.example.org/'] }, 'redirect_uris'],
    [{ access_token_ttl: -1 }, 'access_token_ttl'],
    [{ max_sign_in_age: 1 }, 'max_sign_in_age'],
    [{ scopes: ['none-such'] }, 'scopes'],
    [{ type: 'secret' }, 'type'],
    [{ redirectUris: [] }, 'redirectUris'],
    [{ networks: ['everywhere'] }, 'networks'],
    [{ name: null }, 'name'],
    [{ logo: 'x' }, 'logo'],
  ])('%j is refused with the name of its field, and changes nothing', async (json, field) => {
    const { id, body } = await made();
    const answer = await call(`PATCH /clients/${id}`, { key, json });
    expect(answer).toMatchObject(problem(422));
    expect(answer.body.errors).toMatchObject([{ field }]);
    expect(await show(id)).toEqual(body);
  });

  test('PATCH changes only the named fields; what loosens needs client:loosen', async () => {
    const { id } = await made();
    const writes = await keyWith(['client:write']);
    const patch = (json: unknown, by = writes) => call(`PATCH /clients/${id}`, { key: by, json });
    expect((await patch({ description: 'Pages' })).body).toMatchObject({
      description: 'Pages',
      name: 'Wiki',
      redirect_uris,
      client_secret: null,
    });
    const ann = await newUser();
    for (const json of [{ first_party: true }, { contacts: [ann.username] }]) {
      expect(await patch(json)).toMatchObject(problem(403));
      expect((await patch(json, key)).status).toBe(200);
    }
    // This right must not reveal whether a person is known here.
    const answers = [ann.username, ann.email, 'nobody', 'x'.repeat(300)].map(async (contact) => {
      const { status, body } = await call(`PATCH /clients/${(await made()).id}`, {
        key: writes,
        json: { contacts: [contact] },
      });
      return [status, body.detail];
    });
    expect(new Set((await Promise.all(answers)).map(String)).size).toBe(1);
    // Someone who is already a contact may be named again, or removed.
    expect((await patch({ contacts: [ann.email] })).status).toBe(200);
    expect((await patch({ contacts: [] })).body).toMatchObject({ contacts: [] });
    expect((await patch({ first_party: null as never })).status).toBe(422);
    expect((await call(`POST /clients/${id}/disable`, { key: writes })).body).toMatchObject({
      disabled: true,
    });
    expect(await call(`POST /clients/${id}/enable`, { key: writes })).toMatchObject(problem(403));
    expect((await call(`POST /clients/${id}/enable`, { key })).body).toMatchObject({
      disabled: false,
    });
  });

  test('takes a JWK Set as JSON or as its text, and returns the text', async () => {
    const { publicKey } = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' }] };
    for (const said of [jwks, JSON.stringify(jwks)]) {
      const { body } = await made({ jwks: said });
      expect(JSON.parse(String(body.jwks))).toEqual(jwks);
    }
    const refused = { key, json: { name: 'Wiki', redirect_uris, jwks: [1] } };
    expect(await call('POST /clients', refused)).toMatchObject(
      problem(422, expect.stringContaining('a JWK Set')),
    );
  });

  test('sent as `public: true` is refused, naming the field that takes it', async () => {
    const json = { name: 'Wiki', redirect_uris, public: true };
    const { body } = await call('POST /clients', { key, json });
    expect(body.errors).toMatchObject([
      { field: 'public', detail: expect.stringContaining('type: "public"') },
    ]);
  });

  test('has endpoints for listed users, contacts and logo', async () => {
    const { id } = await made();
    const ann = await newUser();
    const post = (what: string, json: object) => call(`POST /clients/${id}/${what}`, { key, json });
    const people = { people: [ann.username] };
    expect((await post('access/allow', people)).body).toMatchObject({
      allowed_users: [ann.username],
    });
    expect((await post('access/disallow', people)).body).toMatchObject({ allowed_users: [] });
    const nobody = await post('access/allow', { groups: ['none'] });
    expect(nobody).toMatchObject({ status: 422, body: { errors: [{ field: 'groups' }] } });
    const contact = { contact: ann.email };
    expect((await post('contacts/add', contact)).body).toMatchObject({ contacts: [ann.username] });
    const none = await call(`DELETE /clients/${id}/contacts/${ann.id}`, { key });
    expect(none.body).toMatchObject({ contacts: [] });
    const put = (said: unknown) => call(`PUT /clients/${id}/logo`, { key, json: { logo: said } });
    expect((await put(png(64, 64).toString('base64'))).body.logo).toEqual(expect.any(String));
    expect((await put(null)).body.logo).toBeNull();
    const writes = await keyWith(['client:write']);
    expect(
      await call(`POST /clients/${id}/access/allow`, { key: writes, json: people }),
    ).toMatchObject(problem(403));
  });
});

describe('client secrets in the API', () => {
  test('can be replaced while the old one still works', async () => {
    const { id, secret: old } = await made(service);
    const list = async () =>
      (await call(`GET /clients/${id}/secrets`, { key })).body.secrets as { id: string }[];
    const [first] = await list();
    const next = await call(`POST /clients/${id}/secrets`, { key, json: { keep_old: true } });
    expect(next.status).toBe(201);
    expect(next.body).toEqual({
      client_id: id,
      id: expect.any(String),
      client_secret: expect.any(String),
    });
    expect(await list()).toHaveLength(2);
    expect(JSON.stringify(await list())).not.toContain(String(next.body.client_secret));
    expect([await takes(id, old), await takes(id, next.body.client_secret)]).toEqual([true, true]);
    const gone = await call(`DELETE /clients/${id}/secrets/${first?.id}`, { key });
    expect(gone.body).toEqual({ client_id: id, id: first?.id, deleted: true });
    expect([await takes(id, old), await takes(id, next.body.client_secret)]).toEqual([false, true]);
    const last = `DELETE /clients/${id}/secrets/${next.body.id}`;
    expect(await call(last, { key })).toMatchObject(problem(422));
    await call(`POST /clients/${id}/secrets`, { key, json: {} });
    expect(await takes(id, next.body.client_secret)).toBe(false);
  });

  test('cannot be deleted under another app, nor created without secret:loosen', async () => {
    const one = await made();
    const other = await made();
    await call(`POST /clients/${other.id}/secrets`, { key, json: { keep_old: true } });
    const { body } = await call(`GET /clients/${one.id}/secrets`, { key });
    const [secret] = body.secrets as { id: string }[];
    const line = `DELETE /clients/${other.id}/secrets/${secret?.id}`;
    expect(await call(line, { key })).toMatchObject(problem(404));
    const writes = await keyWith(['secret:write', 'client:loosen']);
    const made403 = await call(`POST /clients/${one.id}/secrets`, { key: writes, json: {} });
    expect(made403).toMatchObject(problem(403));
    expect(await call('GET /clients/none/secrets', { key })).toMatchObject(problem(404));
  });

  test('are five at most, and none for a public app', async () => {
    const { id } = await made();
    const keep = { key, json: { keep_old: true } };
    for (let count = 1; count < 5; count += 1)
      expect((await call(`POST /clients/${id}/secrets`, keep)).status).toBe(201);
    const full = await call(`POST /clients/${id}/secrets`, keep);
    expect(full).toMatchObject({ status: 409, body: { errors: [{ field: 'keep_old' }] } });
    const open = await made({ type: 'public' });
    expect(open.secret).toBeNull();
    expect(await call(`POST /clients/${open.id}/secrets`, keep)).toMatchObject(problem(422));
  });
});
