import { describe, expect, test } from 'vitest';
import { buildDocs } from '#lib/docs/build.ts';
import { renderPage } from '#lib/docs/markdown.ts';
import { addressOf, placeOf } from '#lib/docs/source.ts';

const files = new Set(['docs/README.md', 'docs/mcp.md', 'docs/monitoring/README.md']);
const render = (text: string) => renderPage({ file: 'docs/mcp.md', text }, files);
const htmlOf = (text: string) => render(text).html.trim();

describe('raw HTML in the Markdown of documentation pages', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;'],
    ['before <img src=x onerror=alert(1)> after', '&lt;img'],
    ['<iframe src="https://evil.example"></iframe>', '&lt;iframe'],
    ['`<b>`', '<code>&lt;b&gt;</code>'],
    ['```html\n<script>\n```', '&lt;script&gt;'],
    ['[x](https://a.example/"onmouseover="alert(1))', '&quot;onmouseover=&quot;'],
  ])('is escaped: %s', (text, shown) => {
    expect(htmlOf(text)).toContain(shown);
    expect(htmlOf(text)).not.toMatch(/<(script|img|iframe|b)\b/);
    expect(htmlOf(text)).not.toMatch(/<[^>]+\son\w+=/);
  });

  test('is left out if it is a comment', () => {
    expect(htmlOf('a\n\n<!-- run by\nx -->\n\nb <!-- c -->')).toBe('<p>a</p>\n<p>b </p>');
  });

  test('does not occur in our pages, nor do inline styles, event handlers or javascript: addresses', () => {
    const { pages } = buildDocs();
    expect(pages.length).toBeGreaterThan(20);
    for (const { html, path } of pages) {
      expect(html, path).not.toMatch(/<[^>]+ (style|on\w+)=|javascript:|&lt;!--/);
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, `${path}: ${ids}`).toBe(ids.length);
      expect(html, path).not.toContain('<h1');
    }
  });
});

test('a link in a documentation page leads to a page of the server or elsewhere, or becomes a file’s path', () => {
  const place = (href: string) => placeOf(href, 'docs/mcp.md', files);
  expect(place('README.md')).toEqual({ kind: 'page', href: '/docs' });
  expect(place('monitoring/README.md#a')).toEqual({ kind: 'page', href: '/docs/monitoring#a' });
  expect(place('monitoring')).toEqual({ kind: 'page', href: '/docs/monitoring' });
  expect(place('#here')).toEqual({ kind: 'page', href: '#here' });
  expect(place('https://a.example')).toEqual({ kind: 'elsewhere', href: 'https://a.example' });
  expect(place('../lib/config.ts')).toEqual({ kind: 'file', path: 'lib/config.ts' });
  expect(placeOf('../mcp.md', 'docs/monitoring/README.md', files)).toEqual({
    kind: 'page',
    href: '/docs/mcp',
  });
  expect(htmlOf('See [the code](../lib/config.ts).')).toBe(
    '<p>See the code (<code>lib/config.ts</code>).</p>',
  );
  expect(htmlOf('[x](javascript:alert(1))')).not.toContain('href="javascript');
});

test('headings of documentation pages have the anchors that code hosts give them', () => {
  const { html, title, sections } = render('# T\n\n## `a b` & c_d!\n\nx\n\n## Same\n\n## Same');
  expect(title).toBe('T');
  expect([...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
    'a-b--c_d',
    'same',
    'same-1',
  ]);
  expect(sections.map(({ heading }) => heading)).toEqual(['T', 'a b & c_d!', 'Same', 'Same']);
});

test('consecutive blocks with titles become tabs, and a block that no test runs says why', () => {
  const page = [
    '```sh curl\na\n```',
    '<!-- not run here: it needs <b>luck</b> -->\n```js Node.js\nb\n```',
    'Words.',
    '```sh\nc\n```',
    '<!-- not run here: tests/x.test.ts does it -->\n```sh\nd\n```',
  ].join('\n\n');
  const html = htmlOf(page);
  expect(html.match(/<fieldset/g)).toHaveLength(1);
  const heads = [...html.matchAll(/<input type="radio"[^>]*data-tab="([^"]+)"( checked)?>/g)];
  expect(heads.map(([, name, checked]) => [name, checked])).toEqual([
    ['curl', ' checked'],
    ['Node.js', undefined],
  ]);
  expect(html.match(/doc-unrun/g)).toHaveLength(1);
  expect(html).toContain('Not run by our tests: it needs &lt;b&gt;luck&lt;/b&gt;.');
});

test('search words in a comment below a heading are found, but not shown', () => {
  const { html, sections } = render('# T\n\n## A\n\n<!-- search: log out, sign off -->\n\nb');
  expect(sections.at(-1)).toMatchObject({ heading: 'A', text: 'b', also: 'log out, sign off' });
  expect(html).not.toContain('sign off');
});

test('the row of a setting in a documentation page has an anchor, and is a section for the search', () => {
  const { html, sections } = render('# T\n\n|a|b|c|\n|-|-|-|\n|`HOST`|none|Where.|\n\nAfter.');
  expect(html).toContain('<tr id="HOST">');
  expect(sections).toEqual([
    { id: '', depth: 1, heading: 'T', text: 'After.', also: '' },
    { id: 'HOST', depth: 7, heading: 'HOST', text: 'Where. Default: none.', also: '' },
  ]);
});

test('developer pages have a placeholder for the server’s address, other pages have examples', () => {
  const { pages } = buildDocs();
  const page = (path: string) => pages.find((each) => each.path === path);
  expect(page('mcp')).toMatchObject({ namesServer: true });
  expect(page('settings')).toMatchObject({ namesServer: false });
  expect(page('settings')?.html).toContain('http://localhost:3000');
  expect(addressOf('mcp')).toBe('/docs/mcp');
});
