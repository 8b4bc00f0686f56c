import { describe, expect, test } from 'vitest';
import { buildDocs } from '#lib/docs/build.ts';
import { longestQuery, mostHits, prepare, type Run, search } from '#lib/docs/search.ts';
import { processorTime } from '../support/linear.ts';
import { questions } from './questions.ts';

const index = prepare(buildDocs().index);
const plain = (runs: readonly Run[]) => runs.map(({ text }) => text).join('');
const marked = (runs: readonly Run[]) => runs.flatMap((run) => (run.isMarked ? [run.text] : []));
const hrefs = (query: string) => search(index, query).hits.map(({ href }) => href);

describe('the documentation search puts the intended section first', () => {
  test.each([
    ['REQUIRE_PKCE', '/docs/settings#REQUIRE_PKCE'],
    ['require_pkce', '/docs/settings#REQUIRE_PKCE'],
    ['invalid_grant', '/docs/errors#invalid_grant'],
    ['user create', '/docs/command-line#user-create'],
    ['mcp server', '/docs/mcp'],
    ['smtp', '/docs/mail'],
  ])('%s', (query, href) => {
    expect(hrefs(query).slice(0, 3)).toContain(href);
  });

  test.each([
    ['next.js', '/docs/recipes/nextjs'],
    ['nextjs', '/docs/recipes/nextjs'],
    ['auth.js', '/docs/recipes/nextjs'],
    ['node', '/docs/recipes/openid-client'],
    ['flask', '/docs/recipes/flask'],
    ['grafana', '/docs/recipes/grafana'],
    ['single page app', '/docs/recipes/single-page-app'],
    ['CORS', '/docs/guides/limits#cors'],
    ['logout', '/docs/guides/sign-out'],
    ['log out', '/docs/guides/sign-out'],
    ['how do I log out', '/docs/guides/sign-out'],
    ['back-channel logout', '/docs/guides/sign-out#hear-of-it-back-channel-logout'],
    ['refresh token', '/docs/guides/refresh'],
    ['rate limit', '/docs/guides/limits#rate-limits'],
    ['openapi', '/docs/guides/tools#openapi'],
    ['swagger', '/docs/guides/tools#openapi'],
    ['postman', '/docs/guides/tools#postman-and-bruno'],
    ['bruno', '/docs/guides/tools#postman-and-bruno'],
    ['sandbox', '/docs/guides/testing'],
    ['test users', '/docs/guides/testing'],
    ['localhost', '/docs/guides/local-development'],
    ['claims', '/docs/guides/claims'],
    ['roles', '/docs/guides/roles'],
    ['how do I verify a token?', '/docs/guides/api-tokens'],
    ['go live', '/docs/guides/going-live'],
    ['access_denied', '/docs/errors#access_denied'],
    ['how long do tokens live', '/docs/guides/refresh#how-long-things-live'],
  ])('%s', (query, href) => {
    expect(hrefs(query)[0]).toBe(href);
  });

  test('among the first three for everyone who asks in the words of another server', () => {
    expect(questions.length).toBeGreaterThan(300);
    const isAnswer = (wanted: string, href: string) =>
      href === wanted || (!wanted.includes('#') && href.startsWith(`${wanted}#`));
    const lost = questions.filter(([query, ...answers]) => {
      const wanted = answers.map((answer) => `/docs/${answer.replace(/^-/, 'not-here#')}`);
      const found = hrefs(query).slice(0, 3);
      return !found.some((href) => wanted.some((each) => isAnswer(each, href)));
    });
    expect(lost.map(([query]) => `${query}: ${hrefs(query).slice(0, 3)}`)).toEqual([]);
  });

  test('each page and heading that answers a question exists', () => {
    const known = new Set(index.entries.map(({ href }) => href));
    const named = questions.flatMap(([, ...answers]) => answers);
    const missing = named.filter((each) => !known.has(`/docs/${each.replace(/^-/, 'not-here#')}`));
    expect([...new Set(missing)]).toEqual([]);
  });

  test('in other forms of its words, in another order, unfinished, or with a letter wrong', () => {
    const [first] = hrefs('rotate the signing keys');
    expect(first).toBe('/docs/hardening#secrets-and-keys');
    for (const query of ['signing key rotation', 'rotating signing keys', 'keys signing rotated'])
      expect(hrefs(query).slice(0, 3), query).toContain(first);
    for (const query of ['back-chan', 'backchannel logut', 'backchanel logout'])
      expect(hrefs(query)[0], query).toBe('/docs/guides/sign-out#hear-of-it-back-channel-logout');
  });

  test('a heading counts more than the text', () => {
    const entry = (heading: string, text: string) => ({ href: heading, page: 'P', heading, text });
    const found = search(prepare([entry('A', 'kiln kiln kiln'), entry('The kiln', 'x')]), 'Kiln');
    expect(found.hits.map(({ href }) => href)).toEqual(['The kiln', 'A']);
  });
});

test('documentation search marks the words in heading and text, and the excerpt begins near them', () => {
  const long = `${'word '.repeat(100)}and the Kiln is <b>hot</b>, ${'more '.repeat(100)}`;
  const [hit] = search(
    prepare([{ href: '/x', page: 'P', heading: 'Kilns', text: long }]),
    'kiln hot',
  ).hits;
  expect(marked(hit?.heading ?? [])).toEqual(['Kiln']);
  expect(marked(hit?.text ?? [])).toEqual(['Kiln', 'hot']);
  expect(plain(hit?.text ?? [])).toMatch(/^… .*Kiln is <b>hot<\/b>.* …$/);
  expect(plain(hit?.text ?? []).length).toBeLessThan(250);
});

test('documentation search without a section with all words finds those with some, and says so', () => {
  expect(search(index, 'pkce')).toMatchObject({ isPartial: false });
  const some = search(index, 'pkce xyzzy');
  expect(some.isPartial).toBe(true);
  expect(some.hits.length).toBeGreaterThan(0);
  expect(search(index, 'xyzzy')).toMatchObject({ words: ['xyzzy'], hits: [], isPartial: false });
  // The dashboard’s search shows what is found for a question, not for somebody’s name.
  for (const query of ['pkce xyzzy', 'client-13a7baafffc4', 'anywhere1766 nowhere'])
    expect(search(index, query).isQuestion, query).toBe(false);
  for (const query of ['popup login', 'pkce xyzzy verifier'])
    expect(search(index, query).isQuestion).toBe(true);
});

test.each(['', '   ', '.,;:!?', '\u0000', '😀', '%00'])(
  'documentation search for %j, which has no words, does not fail',
  (query) => {
    expect(search(index, query).hits.length).toBeLessThanOrEqual(mostHits);
  },
);

describe('the work of a documentation search is bounded', () => {
  test('in the words and length of the query, and the number of hits', () => {
    const found = search(index, 'as by at be if no so up we he us');
    expect(found.words).toHaveLength(8);
    expect(found.hits).toHaveLength(mostHits);
    expect(search(index, `${'x'.repeat(longestQuery)}kiln`).words).toEqual(['x'.repeat(100)]);
  });

  test('in time, even for the most expensive queries', () => {
    const questions = [
      'in is to of an on or as',
      'the of and to in is that for',
      'aaaaaaaaaa'.repeat(10),
    ];
    for (const question of questions) {
      const from = processorTime();
      for (let round = 0; round < 5; round++) search(index, question);
      // About 10 ms each on one core of a laptop.
      expect((processorTime() - from) / 5, question).toBeLessThan(400);
    }
  });
});
