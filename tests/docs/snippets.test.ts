import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { type Block, blocksOf, pages, placeOf } from './blocks.ts';
import { runInShell } from './shell.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = pages.flatMap((page) => blocksOf(page));
const unmarked = blocks.filter(({ runBy, notRun }) => !runBy && !notRun);
const inLanguage = (language: string) => unmarked.filter((block) => block.language === language);

/** The languages that this file runs or checks without a comment that says more. */
const known = ['sh', 'env', 'text'];

test('every code block of the docs is run, or says which test runs it or why none does', () => {
  expect(blocks.length).toBeGreaterThan(40);
  expect(unmarked.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([]);
});

test('a code block with an unknown language or without one is found', () => {
  const page =
    '```yaml\na: 1\n```\n\n<!-- not run here: yours -->\n```yaml\na: 1\n```\n\n```\n$\n```';
  const [yaml, marked, bare] = blocksOf('page.md', page);
  expect([yaml?.notRun, marked?.notRun, bare?.language]).toEqual([undefined, 'yours', '']);
  expect(known).not.toContain('');
});

test('the test that a code block names exists, and names the page', () => {
  const misled = blocks.filter(
    ({ runBy, page }) =>
      runBy && !(existsSync(runBy) && readFileSync(runBy, 'utf8').includes(page)),
  );
  expect(misled.map((block) => `${placeOf(block)}: ${block.runBy}`)).toEqual([]);
});

const pagesWithCommands = [...new Set(inLanguage('sh').map(({ page }) => page))];

test.concurrent.each(pagesWithCommands)(
  'the commands of %s work in their order, and print what the page shows',
  { timeout: 120_000 },
  async (page) => {
    const commands = inLanguage('sh').filter((block) => block.page === page);
    const printed = await runInShell(
      commands.map(({ text }) => text),
      folder,
    );
    const all = blocksOf(page);
    for (const [index, command] of commands.entries()) {
      const next = all[all.findIndex(({ line }) => line === command.line) + 1];
      if (next?.language === 'text') expect(printed[index], placeOf(next)).toMatch(pattern(next));
    }
  },
);

test.each(inLanguage('env').map((block) => [placeOf(block), block] as const))(
  'the settings in %s are accepted by the server',
  (_, { text }) => {
    const given = parseEnv(text.replaceAll('…', 'x'.repeat(32)));
    const example = readFileSync('.env.example', 'utf8');
    for (const name of Object.keys(given)) expect(example).toMatch(`# ${name}=`);
    expect(() => parseConfig({ SERVER_SECRET: 'x'.repeat(32), ...given })).not.toThrow();
  },
);

/**
 * A pattern for output as a page shows it: `…` stands for what differs each time, and spaces for
 * any spaces.
 */
function pattern({ text }: Block): RegExp {
  const literal = text.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(literal.replace(/[ \t]+/g, '\\s+').replaceAll('…', '[^\\n]*'));
}
