import { globSync, readFileSync } from 'node:fs';

/** A fenced block on a page, with the contents of the comment on the line before it. */
export type Block = {
  page: string;
  line: number;
  language: string;
  /** The text of its tab; empty for a block without tabs. */
  title: string;
  text: string;
  /** The test that runs it. */
  runBy?: string;
  /** The reason why no test runs it. */
  notRun?: string;
};

/** All pages of documentation. Recipes are data: tests/clients runs what they become. */
export const pages = globSync(['*.md', 'docs/**/*.md'])
  .filter((page) => !/^docs\/recipes\/(?!README\.md$)/.test(page))
  .sort();

/** All fenced blocks of a page, in order. */
export function blocksOf(page: string, text = readFileSync(page, 'utf8')): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', language = '', title = ''] =
      /^( *)(`{3,})(\S*) ?(.*)/.exec(lines[at] ?? '') ?? [];
    if (!fence) continue;
    const end = lines.indexOf(indent + fence, at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end`);
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const mark = lines[at - 1] ?? '';
    blocks.push({
      page,
      line: at + 1,
      language,
      title,
      text: body.join('\n'),
      ...markOf(mark),
    });
    at = end;
  }
  return blocks;
}

function markOf(line: string): Pick<Block, 'runBy' | 'notRun'> {
  const runBy = /^ *<!-- run by (tests\/\S+) -->$/.exec(line)?.[1];
  const notRun = /^ *<!-- not run here: (\S.*) -->$/.exec(line)?.[1];
  return { ...(runBy && { runBy }), ...(notRun && { notRun }) };
}

/** The place of a block, to help fixing it. */
export const placeOf = ({ page, line, language }: Block) => `${page}:${line} (${language})`;

/** The code in a text: everything in backticks. */
export const codesIn = (text = ''): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
