import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseGuide, readGuide, runsOf } from '#app/docs/mcp/guide.ts';
import { fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';

const example = {
  issuer: 'https://id.example.org',
  clientId: 'CLIENT-ID',
  clientSecret: 'CLIENT-SECRET',
};

/** What a recipe pastes, for the addresses that the guide is written with. */
function pasted(id: string, address: string): string[] {
  const recipe = findRecipe(id);
  if (!recipe) throw new Error(`There is no recipe ${id}.`);
  return fillRecipe(recipe, { address }, example).flatMap(({ text, fields }) =>
    fields ? [] : [text.trimEnd()],
  );
}

const codeOf = (markdown: string) =>
  parseGuide(markdown).sections.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => (piece.kind === 'code' ? [piece.text] : [])),
  );

test('the code of docs/mcp.md is that of the recipes, which tests run', () => {
  const code = codeOf(readFileSync('docs/mcp.md', 'utf8'));
  for (const text of [
    ...pasted('mcp-server', 'https://mcp.example.org'),
    ...pasted('claude-code', 'https://mcp.example.org/mcp'),
  ])
    expect(code).toContain(text);
  const others = code.filter((text) => text.startsWith('npm run cli -- client create'));
  expect(code).toHaveLength(4 + others.length);
});

test('the guide has the address of the server that shows it', () => {
  const { title, lead, sections } = readGuide('mcp', 'http://localhost:3000');
  expect(title).toBe('Protect an MCP server in five minutes');
  expect(lead).toMatch(/^At the end .*\.$/);
  expect(JSON.stringify(sections)).not.toContain('id.example.org');
  expect(JSON.stringify(sections)).toContain('http://localhost:3000/oauth/introspect');
});

test('a guide is read in sections, paragraphs, lists and code', () => {
  const text =
    '# Title\n\nLead.\n\nMore.\n\n## One\n\nFirst:\n\n- a\n- b\n\n```sh\n- no list\n\nx\n```\n';
  expect(parseGuide(text)).toEqual({
    title: 'Title',
    lead: 'Lead.',
    sections: [
      {
        title: 'One',
        pieces: [
          { kind: 'text', text: 'More.' },
          { kind: 'text', text: 'First:' },
          { kind: 'list', items: ['a', 'b'] },
          { kind: 'code', text: '- no list\n\nx' },
        ],
      },
    ],
  });
});

test('a line is read in runs', () => {
  expect(runsOf('A **b** is *c*, or `d * e`.')).toEqual([
    { kind: 'plain', text: 'A ' },
    { kind: 'strong', text: 'b' },
    { kind: 'plain', text: ' is ' },
    { kind: 'stress', text: 'c' },
    { kind: 'plain', text: ', or ' },
    { kind: 'code', text: 'd * e' },
    { kind: 'plain', text: '.' },
  ]);
});
