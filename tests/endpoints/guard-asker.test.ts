import { expect, test } from 'vitest';
import { unique } from '../management/people.ts';
import { newGuarded, SiteBrowser } from '../support/guarded.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';

const secret = 'a-secret-of-the-proxy-of-these-tests';
const server = await openServer({ TRUSTED_PROXIES: '192.0.2.1', PROXY_SECRET: secret });

test('a proxy that no network names proves itself by its secret, and is believed then', async () => {
  const site = `https://${unique('app')}.example.org`;
  await newGuarded({ guardedSites: [site], networks: ['198.51.100.0/24'] });
  const person = await newPerson(server);
  person.address = '198.51.100.7';
  const browser = new SiteBrowser(person, 'envoy');
  const opening = { accept: 'text/html' };
  for (const proxy of [
    undefined,
    { 'x-gatehouse-proxy-secret': '' },
    { 'x-gatehouse-proxy-secret': `${secret}x` },
    { 'x-gatehouse-proxy-secret': `${secret}, ${secret}` },
  ]) {
    const answer = await browser.ask(`${site}/`, { headers: opening, ...(proxy && { proxy }) });
    expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
    expect(answer.body).toContain('Only a proxy that this server trusts');
  }
  const proved = { 'x-gatehouse-proxy-secret': secret };
  const begun = await browser.ask(`${site}/`, { headers: opening, proxy: proved });
  expect(begun.status).toBe(303);
});
