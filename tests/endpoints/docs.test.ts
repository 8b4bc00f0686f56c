import { expect, test } from 'vitest';
import { addressOf, readSources } from '#lib/docs/source.ts';
import { openHouse } from '../support/house.ts';
import { textOf } from '../support/html.ts';

const house = await openHouse();
const get = async (path: string) => {
  const response = await fetch(house.base + path, { headers: { Accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
};

test('every page of docs/ is served under /docs, with its title, its navigation and the search', async () => {
  const pages = readSources();
  expect(pages.length).toBeGreaterThan(30);
  for (const { path, text } of pages) {
    const title = path === '' ? 'Documentation' : /^# (.*)$/m.exec(text)?.[1];
    const { status, html } = await get(addressOf(path));
    expect(status, path).toBe(200);
    expect(textOf(html), path).toContain(title?.replaceAll('`', ''));
    const parts = ['action="/docs"', '<nav id="pages"'].filter((part) => html.includes(part));
    expect(parts, path).toHaveLength(2);
    expect(html.includes('not run here'), path).toBe(false);
  }
});

test('the page of an app’s developer has the address of this server in its code', async () => {
  const { html } = await get('/docs/mcp');
  expect(html).toContain(`fetch(&quot;${house.issuer}/oauth/introspect&quot;`);
  expect(html).not.toContain('https://id.example.org');
});

test('the search finds a setting, marks it, and leads to its row', async () => {
  const { status, html } = await get('/docs?q=require_pkce');
  expect(status).toBe(200);
  expect(html).toContain('href="/docs/settings#REQUIRE_PKCE"');
  expect(html).toMatch(/<mark class="doc-mark">REQUIRE_PKCE<\/mark>/);
  const { html: row } = await get('/docs/settings');
  expect(row).toContain('<tr id="REQUIRE_PKCE">');
});

test('a search that finds nothing says so, and keeps what was typed', async () => {
  const { html } = await get('/docs?q=xyzzy+%22%3E%3Cqqq%3E');
  expect(html).toContain('Nothing was found.');
  expect(html).toContain('value="xyzzy &quot;&gt;&lt;qqq&gt;"');
  expect(html).not.toContain('<qqq>');
});

test('a search of any length is answered, and what is too long is cut', async () => {
  const { status, html } = await get(`/docs?q=${'a'.repeat(5000)}`);
  expect(status).toBe(200);
  expect(html).toContain(`value="${'a'.repeat(100)}"`);
  expect((await get('/docs?q=pkce&q=code')).status).toBe(200);
});

test
  .skipIf(house.mount === 'next')
  .each([
    '/docs/nothing',
    '/docs/__proto__',
    '/docs/pages%2Fmcp',
    '/docs/decisions%2F0014-a-wrong-address',
    '/docs/errors/no_such_error',
    '/docs/..%2F..%2Fpackage',
  ])('%s: there is no such page, and the way to those there are', async (path) => {
  const { status, html } = await get(path);
  expect(status).toBe(404);
  expect(textOf(html)).toContain('The documentation has no such page');
  expect(html).toContain('href="/docs"');
});
