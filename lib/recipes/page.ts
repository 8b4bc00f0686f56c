import { Marked, type Token, type Tokens } from 'marked';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { faultsOfIssue, type Path } from '../management/shape-faults.ts';
import { defaultLocale } from '../messages/locales.ts';
import { sentenceIn } from '../messages/text.ts';

/** A line of a file. */
export type Place = { file: string; line: number };

/** A part of a text in Markdown: a heading, a list, a block of code. */
export type Part = { at: Place; token: Token };

/** A file in Markdown with facts above its text. */
export type Page<Head> = {
  head: Head;
  /** The place of a fact. */
  placeOf: (path: Path) => Place;
  parts: Part[];
};

/** @throws Error that names the file, the line, what is there and what was expected */
export function fail({ file, line }: Place, found: string, expected: string): never {
  throw new Error(`${file}:${line}: ${found}\nExpected: ${expected}`);
}

/** Reads the facts above a text, and the parts of the text. @throws Error for the first fault */
export function readPage<Shape extends z.ZodType>(
  file: string,
  text: string,
  shape: Shape,
): Page<z.infer<Shape>> {
  const [whole, written = ''] = /^---\n(.*?\n)---\n/s.exec(text) ?? [];
  if (whole === undefined)
    return fail({ file, line: 1 }, text.split('\n')[0] ?? '', 'facts between two lines of ---');
  const lines = new LineCounter();
  const document = parseDocument(written, { lineCounter: lines, prettyErrors: false });
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong) fail({ file, line: lines.linePos(wrong.pos[0]).line + 1 }, wrong.message, 'YAML');
  const placeOf = (path: Path) => ({ file, line: lineIn(document, lines, path) + 1 });
  const said: unknown = document.toJS();
  const parsed = shape.safeParse(said);
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) => faultsOfIssue(issue, said, shape));
    // Of a misspelled name and the missing one, the misspelled one has a line.
    const fault = faults.findLast(({ path }) => path.length > 0);
    if (!fault) return fail(placeOf([]), firstLine(undefined), parsed.error.message);
    const { path, sentence } = fault;
    return fail(placeOf(path), path.join('.'), sentenceIn(defaultLocale, sentence));
  }
  const below = partsOf(text.slice(whole.length), { file, line: whole.split('\n').length });
  return { head: parsed.data, placeOf, parts: below };
}

/** The parts of a text that begins at this place. */
export function partsOf(text: string, { file, line }: Place): Part[] {
  let at = line;
  const parts = new Marked({ gfm: true }).lexer(text).map((token) => {
    const part = { at: { file, line: at }, token };
    at += token.raw.split('\n').length - 1;
    return part;
  });
  return parts.filter(({ token }) => token.type !== 'space');
}

/** The line of the value at a path, or of its nearest parent. */
function lineIn(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

type WithTokens = { tokens?: Token[] | undefined };

/** One paragraph that is a sentence, or several. @throws Error */
export function sentenceOf(at: Place, { tokens = [] }: WithTokens): string {
  const [paragraph, ...more] = tokens.filter(({ type }) => type !== 'space');
  if (!paragraph || more.length > 0 || !/^(text|paragraph)$/.test(paragraph.type))
    return fail(at, firstLine(more[0] ?? paragraph), 'one paragraph');
  const sentence = wordsOf(at, paragraph as WithTokens);
  return /^[\p{L}“].*[.?!]$/su.test(sentence)
    ? sentence
    : fail(at, sentence, 'a sentence: a letter at its beginning, a full stop at its end');
}

/** The words of a paragraph. Pages show them as they are: they have no markup. @throws Error */
export function wordsOf(at: Place, { tokens = [] }: WithTokens): string {
  const words = tokens.map((token) => {
    const { raw, text } = token as Tokens.Text;
    const isBare = token.type === 'link' && raw === text;
    return token.type === 'text' || token.type === 'escape' || isBare
      ? text
      : fail(at, raw, 'plain text; a sign of Markdown has a backslash before it');
  });
  return words.join('').replaceAll('\n', ' ');
}

/** The first line of a part, to name it. */
export const firstLine = (token: Token | undefined) => token?.raw.split('\n')[0] ?? 'nothing';
