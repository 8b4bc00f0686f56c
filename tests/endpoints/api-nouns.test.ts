import { expect, test } from 'vitest';
import { operations } from '#lib/endpoints/api/operations.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';

type Noun = {
  /** What is sent to make one; each call names another one. */
  made: () => Record<string, unknown>;
  /** Two changes of it. */
  changes: readonly [object, object];
  /** The field of the answer that its address ends in. */
  key?: string;
};

/** Everything that can be made, changed and deleted at an address of its own. */
const nouns: Record<string, Noun> = {
  apis: {
    made: () => ({ identifier: `https://${unique('api')}.example/`, name: 'Files' }),
    changes: [{ name: 'A' }, { name: 'B' }],
  },
  clients: {
    made: () => ({ name: unique('App'), redirect_uris: ['https://app.example/cb'] }),
    changes: [{ description: 'A' }, { description: 'B' }],
    key: 'client_id',
  },
  fields: {
    made: () => ({ name: unique('field'), label: 'x' }),
    changes: [{ label: 'A' }, { label: 'B' }],
    key: 'name',
  },
  groups: {
    made: () => ({ name: unique('group') }),
    changes: [{ description: 'A' }, { description: 'B' }],
  },
  providers: {
    made: () => ({
      kind: 'openid',
      slug: unique('idp'),
      name: 'Example',
      issuer: 'https://idp.example.com',
      client_id: 'gatehouse',
      secret: 'a secret of the test',
    }),
    changes: [{ name: 'A' }, { name: 'B' }],
  },
  scopes: {
    made: () => ({ name: unique('scope'), description: 'x' }),
    changes: [{ default: true }, { sensitive: true }],
    key: 'name',
  },
  users: {
    made: () => {
      const username = unique('ann');
      return { username, email: `${username}@example.org` };
    },
    changes: [{ name: 'A' }, { name: 'B' }],
  },
};

const server = await openServer();
const rights = ['api', 'client', 'field', 'group', 'provider', 'scope', 'user'];
const key = await keyWith(rights.map((noun) => `${noun}:loosen`));
const call = (line: string, sent?: Sent) => callApi(server, line, { key, ...sent });
const secrets = ['client_secret', 'password', 'a secret of the test'];

/** The address of a new one, and the answer that made it. */
async function make(noun: string, { made, key: name = 'id' }: Noun) {
  const answer = await call(`POST /${noun}`, { json: made() });
  expect(answer.status).toBe(201);
  return { at: `/${noun}/${answer.body[name]}`, answer };
}
const etagOf = async (at: string) => (await call(`GET ${at}`)).headers.get('etag') ?? '';

test('the table has every noun that is changed and deleted at its own address', () => {
  const at = (method: string) =>
    operations.filter((one) => one.method === method).map(({ template }) => template);
  // Words of the branding stand in one record, whose version the branding's test tries.
  const whole = at('PATCH').filter(
    (template) => at('DELETE').includes(template) && !template.startsWith('/branding/'),
  );
  expect(whole.map((template) => template.split('/')[1]).sort()).toEqual(Object.keys(nouns));
});

test.each(Object.entries(nouns))(
  '%s: an Idempotency-Key makes one, and its answer is repeated with what it says only once',
  async (noun, { made, key: name = 'id' }) => {
    const sent = { json: made(), headers: { 'Idempotency-Key': unique('once') } };
    const first = await call(`POST /${noun}`, sent);
    const again = await call(`POST /${noun}`, sent);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    for (const header of ['location', 'etag', 'cache-control'])
      expect(again.headers.get(header)).toBe(first.headers.get(header));
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('location')).toBe(
      `${server.issuer}/api/v1/${noun}/${first.body[name]}`,
    );
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  },
);

test.each(Object.entries(nouns))(
  '%s: a plan makes, changes and deletes nothing, and says no secret',
  async (noun, each) => {
    const json = each.made();
    const plan = await call(`POST /${noun}?plan=true`, { json });
    expect(plan.body).toMatchObject({
      plan: true,
      changes: [{ type: expect.stringMatching(/\.created$/) }],
    });
    for (const secret of secrets) expect(JSON.stringify(plan.body)).not.toContain(secret);
    expect((await call(`POST /${noun}`, { json })).status).toBe(201);

    const { at } = await make(noun, each);
    const before = await call(`GET ${at}`);
    const changed = await call(`PATCH ${at}?plan=true`, { json: each.changes[0] });
    expect(changed.body).toMatchObject({ plan: true, changes: [expect.anything()] });
    const gone = await call(`DELETE ${at}?plan=true`);
    expect(gone.body).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({ type: expect.stringMatching(/\.deleted$/) }),
      ]),
    });
    expect((await call(`GET ${at}`)).body).toEqual(before.body);
  },
);

test.each(Object.entries(nouns))(
  '%s: a change needs the current ETag, and so does a deletion',
  async (noun, each) => {
    const { at, answer } = await make(noun, each);
    const etag = await etagOf(at);
    expect(etag).toBe(answer.headers.get('etag'));
    const [one, other] = each.changes;
    const change = (json: object) => call(`PATCH ${at}`, { json, headers: { 'If-Match': etag } });
    const first = await change(one);
    expect([first.status, first.body]).toMatchObject([200, one]);
    const now = await etagOf(at);
    expect(now).toBe(first.headers.get('etag'));
    const remove = (tag: string) => call(`DELETE ${at}`, { headers: { 'If-Match': tag } });
    for (const late of [await change(other), await remove(etag)])
      expect([late.status, late.headers.get('etag')]).toEqual([412, now]);
    expect((await call(`GET ${at}`)).body).toMatchObject(one);
    expect((await remove(now)).body).toMatchObject({ deleted: true });
    expect((await call(`GET ${at}`)).status).toBe(404);
  },
);

test('each call has an id of its own', () => {
  const ids = operations.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
