import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from './blocks.ts';

const catalogues = ['people', 'dashboard', 'refusals'].map(
  (name) => `lib/messages/catalogues/en/${name}.json`,
);
/** Archaic or not English: say who, again, learns about, no longer mentions, or exists. */
const strained = /\b(whom|anew|told of|names? no more|(is|are|to be) had)\b/gi;

/** The strained words in a file, each with its line. Keys of messages are names, not text. */
function strainedIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    const text = file.endsWith('.json') ? line.replace(/^\s*"[^"]+":/, '') : line;
    return [...text.matchAll(strained)].map(([word]) => `${file}:${at + 1}: ${word}`);
  });
}

test('documentation and English messages use no strained words', () => {
  const read = pages.filter((page) => page !== 'CHANGELOG.md');
  expect([...read, ...catalogues].flatMap(strainedIn)).toEqual([]);
});
