import { globSync, readFileSync } from 'node:fs';

/** A fenced block of a page, with what the comment on the line before it says. */
export type Block = {
  page: string;
  line: number;
  language: string;
  /** What its tab says; empty for a block that stands alone. */
  title: string;
  text: string;
  /** The test that runs it. */
  runBy?: string;
  /** Why no test does. */
  notRun?: string;
};

/** The pages that people read. */
export const pages = globSync(['*.md', 'docs/**/*.md']).sort();

/** All fenced blocks of a page, in its order. */
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

/** Where a block is, for whoever has to fix it. */
export const placeOf = ({ page, line, language }: Block) => `${page}:${line} (${language})`;

/** What a text says as code, in backticks. */
export const codesIn = (text = ''): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
