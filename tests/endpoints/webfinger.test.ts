import { beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({ ISSUER: 'https://id.example.org' });
const rel = 'http://openid.net/specs/connect/1.0/issuer';
const ask = (query: string) => fetch(`${server.base}/.well-known/webfinger?${query}`);

test('WebFinger answers for nobody until an admin names a domain', async () => {
  expect((await ask('resource=acct:ada@example.org')).status).toBe(404);
});

describe('WebFinger (RFC 7033) for the domains that an admin named', () => {
  beforeAll(() => set('WEBFINGER_DOMAINS', 'example.org'));

  test.each([
    `resource=acct:ada@example.org&rel=${rel}`,
    `resource=acct%3Aada%40EXAMPLE.org&rel=${encodeURIComponent(rel)}`,
    'resource=mailto:nobody@example.org',
    'resource=https://example.org/ada',
    `rel=avatar&rel=${rel}&resource=acct:ada@example.org`,
  ])('names this server as the issuer: %s', async (query) => {
    const response = await ask(query);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/jrd+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      subject: new URLSearchParams(query).get('resource'),
      links: [{ rel, href: 'https://id.example.org' }],
    });
  });

  test('has no link for another relation', async () => {
    const response = await ask('resource=acct:ada@example.org&rel=avatar');
    expect(await response.json()).toEqual({ subject: 'acct:ada@example.org', links: [] });
  });

  test.each([
    ['', 400],
    ['resource=ada', 400],
    ['resource=acct:a@example.org&resource=acct:b@example.org', 400],
    ['resource=acct:ada@other.example', 404],
    ['resource=acct:ada@sub.example.org', 404],
  ])('%j is %d, with CORS', async (query, status) => {
    const response = await ask(query);
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('tells nobody who has an account', async () => {
    const { username } = await newUser();
    const about = async (name: string) =>
      (await (await ask(`resource=acct:${name}@example.org`)).text()).replace(name, 'x');
    expect(await about(username)).toBe(await about('nobody'));
  });
});
