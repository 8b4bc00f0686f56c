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

test('every block is run, or says which test runs it or why none does', () => {
  expect(blocks.length).toBeGreaterThan(40);
  expect(unmarked.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([]);
});

test('a block of a language that nobody runs, and one without a language, are found', () => {
  const page =
    '```yaml\na: 1\n```\n\n<!-- not run here: yours -->\n```yaml\na: 1\n```\n\n```\n$\n```';
  const [yaml, marked, bare] = blocksOf('page.md', page);
  expect([yaml?.notRun, marked?.notRun, bare?.language]).toEqual([undefined, 'yours', '']);
  expect(known).not.toContain('');
});

test('a test that runs a block exists, and names its page', () => {
  const misled = blocks.filter(
    ({ runBy, page }) =>
      runBy && !(existsSync(runBy) && readFileSync(runBy, 'utf8').includes(page)),
  );
  expect(misled.map((block) => `${placeOf(block)}: ${block.runBy}`)).toEqual([]);
});

const pagesWithCommands = [...new Set(inLanguage('sh').map(({ page }) => page))];

test.concurrent.each(pagesWithCommands)(
  '%s: its commands work, in its order, and print what it says',
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
  '%s: the server takes it',
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
