import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partsOf } from '#lib/docs/markdown.ts';
import { fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { blocksOf, placeOf } from '../docs/blocks.ts';

const example = {
  issuer: 'https://id.example.org',
  clientId: 'CLIENT-ID',
  clientSecret: 'CLIENT-SECRET',
};

/** The texts that a recipe gives to paste, for the addresses in the guide. */
function pasted(id: string, address: string): string[] {
  const recipe = findRecipe(id);
  if (!recipe) throw new Error(`There is no recipe ${id}.`);
  return fillRecipe(recipe, { address }, example).flatMap(({ text, fields }) =>
    fields ? [] : [text.trimEnd()],
  );
}

const codeOf = (markdown: string) =>
  partsOf(markdown).flatMap((part) => (part.type === 'code' ? [String(part.text)] : []));

test('the code of docs/mcp.md is that of the tested recipes', () => {
  const code = codeOf(readFileSync('docs/mcp.md', 'utf8'));
  for (const text of [
    ...pasted('mcp-server', 'https://mcp.example.org'),
    ...pasted('claude-code', 'https://mcp.example.org/mcp'),
  ])
    expect(code).toContain(text);
  const others = code.filter((text) => text.startsWith('npm run cli -- client create'));
  // The other ways and the reader's own app are run by tests/clients/recipes-mcp.test.ts.
  const apart = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/client', 'fastmcp'];
  for (const name of apart) expect(code.filter((text) => text.includes(name))).toHaveLength(2);
  expect(code).toHaveLength(10 + others.length);
});

test('every sample that checks access tokens refuses sender-constrained ones (RFC 9449)', () => {
  const samples = ['docs/mcp.md', 'docs/guides/api-tokens.md']
    .flatMap((page) => blocksOf(page))
    .filter(({ language }) => ['js', 'python', 'go'].includes(language))
    .filter(({ text }) => /\/oauth\/(jwks|introspect)\b/.test(text));
  expect(samples).toHaveLength(8);
  expect(samples.filter(({ text }) => !/\bcnf\b/i.test(text)).map(placeOf)).toEqual([]);
});
