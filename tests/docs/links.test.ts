import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { buildDocs } from '#lib/docs/build.ts';
import { contentsOf } from '#lib/docs/contents.ts';
import { renderPage } from '#lib/docs/markdown.ts';
import { addressOf, pathOf, readSources, type Source } from '#lib/docs/source.ts';
import { docsWords } from '#lib/messages/docs.ts';
import { root } from '#lib/tooling/stamp.mjs';

const pages = readSources();
const others = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map(
  (file): Source => ({ file, path: pathOf(file), text: readFileSync(resolve(root, file), 'utf8') }),
);
const files = new Set(pages.map(({ file }) => file));

const anchorsOf = (html: string) =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
const rendered = new Map(
  [...pages, ...others].map((source) => [source.file, renderPage(source, files)] as const),
);

/** What is wrong with a link in a file, as a sentence; empty if it leads somewhere. */
function faultOf(href: string, from: string): string[] {
  if (/^(https?:|mailto:)/.test(href)) return [];
  if (href.startsWith('/')) return [`${from}: ${href} is no relative link.`];
  const [target = '', anchor] = href.split('#');
  const path = target === '' ? from : posix.join(posix.dirname(from), target);
  if (!existsSync(resolve(root, path))) return [`${from}: there is no ${path}.`];
  if (!anchor) return [];
  const file = [path, posix.join(path, 'README.md')].find((each) => rendered.has(each));
  const anchors = anchorsOf(rendered.get(file ?? '')?.html ?? '');
  return anchors.has(anchor) ? [] : [`${from}: ${path} has no heading #${anchor}.`];
}

test('every link in README, docs and the other pages leads to a file and a heading', () => {
  const links = [...rendered].flatMap(([from, { links: found }]) =>
    found.map((href) => ({ href, from })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.flatMap(({ href, from }) => faultOf(href, from))).toEqual([]);
});

test('a link to a missing file or heading is found', () => {
  const from = 'docs/mcp.md';
  expect(faultOf('nothing.md', from)).toEqual(['docs/mcp.md: there is no docs/nothing.md.']);
  expect(faultOf('settings.md#nowhere', from)).toHaveLength(1);
  expect(faultOf('#nowhere', from)).toHaveLength(1);
  expect(faultOf('settings.md#REQUIRE_PKCE', from)).toEqual([]);
  expect(faultOf('../CONTRIBUTING.md#where-things-are', from)).toEqual([]);
});

test('docs/README.md has a line for each page, and the navigation has every page once', () => {
  const home = pages.find(({ path }) => path === '');
  if (!home) throw new Error('There is no docs/README.md.');
  const entries = buildDocs().contents.flatMap((group) => group.entries);
  // Recipes, decisions and nouns of the API are listed on pages of their own.
  const listed = pages.filter(({ path }) => path !== '' && !/^(decisions|api)\/./.test(path));
  expect(entries.map(({ href }) => href).toSorted()).toEqual(
    listed.map(({ path }) => addressOf(path)).toSorted(),
  );
  for (const { line, title } of contentsOf(home, files).flatMap((group) => group.entries))
    expect(line, title).toMatch(/^(\p{Lu}|private_key_jwt ).*\.$/u);
  expect(contentsOf(home, files)[0]?.entries).toHaveLength(5);
});

test('each documentation page has a title, and docs/errors.md the section “Common problems”', () => {
  for (const { file, text } of pages)
    expect(text.match(/^# /gm)?.length ?? 0, file).toBeGreaterThan(0);
  expect(rendered.get('docs/errors.md')?.html).toContain(`>${docsWords.stumbles}<`);
});

test('the first sentence of each documentation page says for whom it is, or what they have at its end', () => {
  const ofOthers = /^(decisions|api|contributing)\/./;
  for (const { path, file, text } of pages.filter(
    ({ path }) => path !== '' && !ofOthers.test(path),
  )) {
    const [first = ''] = text.split('\n').filter((line) => line && !/^(#|<!--)/.test(line));
    expect(first, `${file} ${path}`).toMatch(/^(For|At the end) /);
  }
});
