// The collection that /docs offers, read by Postman's own library and by Bruno's converter.
import { expect, test } from 'vitest';
import { operations } from '#lib/endpoints/api/operations.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { packageFromNpm } from './npm-packages.ts';

const server = await openServer();
const path = '/docs/gatehouse.postman_collection.json';
const fetched = await fetch(server.base + path);
const collection = await fetched.json();

type Sdk = {
  Collection: new (
    json: unknown,
  ) => {
    forEachItem: (look: (item: SdkItem) => void) => void;
    variables: { toObject: () => Record<string, string> };
  };
};
type SdkItem = {
  name: string;
  getAuth: () => { type: string } | undefined;
  request: { method: string; url: { toString: (force?: boolean) => string } };
};
const sdk = await packageFromNpm<Sdk>('postman-collection', '5.3.1');

test('the Postman collection is a download with this issuer, declared variables and no secrets', () => {
  expect(fetched.headers.get('content-disposition')).toContain('gatehouse.postman_collection.json');
  expect(collection.info.schema).toContain('/v2.1.0/');
  const [issuer, ...others] = collection.variable;
  expect(issuer).toEqual({ key: 'issuer', value: server.issuer });
  for (const { key, value } of others) expect(value, key).toBe('');
  const text = JSON.stringify(collection.item);
  const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
  const declared = collection.variable.map(({ key }: { key: string }) => key);
  expect([...used].filter((name) => !declared.includes(name))).toEqual([]);
});

test.skipIf(sdk === null)(
  'the Postman collection is read by postman-collection, and its requests exist here',
  async () => {
    const items: SdkItem[] = [];
    const read = new (sdk as Sdk).Collection(collection);
    read.forEachItem((item) => items.push(item));
    const ofApi = items.filter(({ request }) => request.url.toString().includes('/api/v1/'));
    expect(
      ofApi.map(({ request }) => `${request.method} ${request.url.toString()}`).toSorted(),
    ).toEqual(
      operations
        .map(
          ({ method, template }) =>
            `${method} {{issuer}}/api/v1${template.replace(/\{(\w+)\}/g, ':$1')}`,
        )
        .toSorted(),
    );
    for (const item of ofApi) expect(item.getAuth()?.type, item.name).toBe('bearer');
    for (const { name, request } of items.filter(
      ({ request }) => !ofApi.some((one) => one.request === request),
    )) {
      const address = request.url.toString().replace('{{issuer}}', server.base);
      const { status } = await fetch(address, { method: request.method, redirect: 'manual' });
      expect([404, 405], `${name}: ${status}`).not.toContain(status);
    }
  },
);

type Converters = { postmanToBruno: (json: unknown) => Promise<{ collection: BrunoItem }> };
type BrunoItem = { type?: string; request?: { url: string }; items?: BrunoItem[] };
const bruno = await packageFromNpm<Converters>('@usebruno/converters', '0.23.0');

test.skipIf(bruno === null)(
  'the Postman collection is converted by Bruno, request by request',
  async () => {
    const { collection: made } = await (bruno as Converters).postmanToBruno(collection);
    const requestsIn = ({ items = [] }: BrunoItem): BrunoItem[] =>
      items.flatMap((item) => (item.request ? [item] : requestsIn(item)));
    const requests = requestsIn(made);
    expect(requests.length).toBeGreaterThan(operations.length + 10);
    for (const { request } of requests) expect(request?.url).toMatch(/^\{\{issuer\}\}\//);
  },
);

test('a request of the Postman collection with its variables filled in gets a token', async () => {
  const client = await newClient({ grants: ['client_credentials'] });
  const [protocol] = collection.item;
  const { request } = protocol.item.find(
    ({ name }: { name: string }) => name === 'Client credentials',
  );
  const values: Record<string, string> = {
    issuer: server.base,
    client_id: client.id,
    client_secret: client.secret,
  };
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
  const [username, password] = request.auth.basic.map(({ value }: { value: string }) =>
    filled(value),
  );
  const answer = await fetch(filled(request.url.raw), {
    method: request.method,
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: new URLSearchParams(
      request.body.urlencoded.map(({ key, value }: { key: string; value: string }) => [
        key,
        filled(value),
      ]),
    ),
  });
  expect(await answer.json()).toMatchObject({ token_type: 'Bearer' });
});
