import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Token, Tokens } from 'marked';
import { z } from 'zod';
import { projectRoot } from '../config.ts';
import { byName } from '../people/sort-key.ts';
import {
  fail,
  firstLine,
  type Page,
  type Part,
  type Place,
  partsOf,
  readPage,
  sentenceOf,
  wordsOf,
} from './page.ts';
import {
  type Block,
  type CheckerSource,
  type GuardSource,
  givenNames,
  type Recipe,
} from './recipe.ts';
import { type RecipeFacts, recipeFacts, recipeKinds } from './shape.ts';
import { type Facts, partIn, textFaults, withParts } from './template.ts';
import { languages } from './text.ts';

/** Everything below `docs/recipes`, and the proxies of `docs/guard`. */
export type Collection = { recipes: Recipe[]; checkers: CheckerSource[]; guards: GuardSource[] };

/** Reads all recipes, in the order in which people browse them. @throws Error for the first fault */
export function readCollection(): Collection {
  const parts = Object.fromEntries(filesIn('docs/recipes/parts').map(readPart));
  const recipes = filesIn('docs/recipes')
    .filter(([file]) => basename(file) !== 'README.md')
    .map(([file, text]) => readRecipe(file, text, parts))
    .toSorted(
      ({ recipe: one, place }, { recipe: other, place: after }) =>
        recipeKinds.indexOf(one.kind) - recipeKinds.indexOf(other.kind) ||
        place - after ||
        byName(one, other),
    )
    .map(({ recipe }) => recipe);
  const checkers = filesIn('docs/recipes/checkers')
    .map(readChecker)
    .toSorted((one, other) => one.place - other.place)
    .map(({ checker }) => checker);
  const guards = filesIn('docs/guard').map(readGuard);
  return { recipes, checkers, guards };
}

type NamedFile = readonly [file: string, text: string];

function filesIn(folder: string): NamedFile[] {
  const cwd = resolve(/* turbopackIgnore: true */ projectRoot);
  return globSync(`${folder}/*.md`, { cwd })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .map((file) => [file, readFileSync(resolve(/* turbopackIgnore: true */ cwd, file), 'utf8')]);
}

const idOf = (file: string) => basename(file, '.md');

/**
 * Reads one recipe: its facts, the numbered steps, a heading with code or a table for each thing to
 * paste, and a quote, which is the most common mistake.
 * @param parts texts that several recipes share, by their names
 * @throws Error that names the file, the line, what is there and what was expected
 */
export function readRecipe(
  file: string,
  text: string,
  parts: Facts = {},
): { recipe: Recipe; place: number } {
  const id = idOf(file);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    fail({ file, line: 1 }, `the file’s name, ${id}`, 'lower-case letters, digits, single hyphens');
  const page = readPage(file, text, recipeFacts);
  checkFacts(page);
  const { version, sources, notChecked, place, ...facts } = page.head;
  const source = { version, pages: sources, notChecked };
  return { recipe: { id, ...facts, ...bodyOf(page, parts), source }, place };
}

/** Checks what the facts name: an address is made of answers alone, a value of those before it. */
function checkFacts({ head, placeOf }: Page<RecipeFacts>): void {
  const answers = Object.keys(head.questions);
  const known: string[] = [...givenNames];
  const names = [...answers, ...Object.keys(head.values)];
  const taken = names.find((name, at) => [...known, ...names.slice(0, at)].includes(name));
  if (taken) fail(placeOf(['values', taken]), taken, 'a name that nothing else has');
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri, homePage } = head;
  for (const [name, said] of Object.entries({ redirectUris, postLogoutRedirectUris }))
    for (const [at, uri] of said.entries()) checkText(placeOf([name, at]), uri, answers);
  for (const [name, uri] of Object.entries({ backchannelLogoutUri, homePage }))
    checkText(placeOf([name]), uri ?? '', answers);
  known.push(...answers);
  for (const [name, value] of Object.entries(head.values)) {
    checkText(placeOf(['values', name]), value, known);
    known.push(name);
  }
}

/** Checks that all gaps of a text can be filled. @throws Error for the first that cannot */
function checkText(
  { file, line }: Place,
  text: string,
  names: readonly string[],
  words: readonly string[] = [],
): void {
  for (const fault of textFaults(text, names, words))
    fail({ file, line: line + fault.line }, fault.found, fault.expected);
}

const form =
  'numbered steps; then, for each thing to paste, a heading (##) and one block of code or one table; then a quote (>), the most common mistake';

function bodyOf({ head, placeOf, parts: all }: Page<RecipeFacts>, parts: Facts) {
  const names = [...givenNames, ...Object.keys(head.questions), ...Object.keys(head.values)];
  const [list, ...others] = all;
  const quote = others.pop();
  if (list?.token.type !== 'list' || !(list.token as Tokens.List).ordered)
    return fail(list?.at ?? placeOf([]), firstLine(list?.token), form);
  if (quote?.token.type !== 'blockquote')
    return fail((quote ?? list).at, firstLine(quote?.token), form);
  const steps = (list.token as Tokens.List).items.map((item) => sentenceOf(list.at, item));
  const blocks = others.flatMap(({ token, at }, index) => {
    const isTitle = token.type === 'heading' && (token as Tokens.Heading).depth === 2;
    if (isTitle !== (index % 2 === 0)) return fail(at, firstLine(token), form);
    if (!isTitle) return [];
    const title = wordsOf(at, token as Tokens.Heading);
    checkText(at, title, names);
    return blockOf(title, others[index + 1] ?? quote, names, parts);
  });
  if (blocks.length === 0) return fail(quote.at, firstLine(quote.token), form);
  return { steps, blocks, trap: sentenceOf(quote.at, quote.token as Tokens.Blockquote) };
}

function blockOf(
  title: string,
  { at, token }: Part,
  names: readonly string[],
  parts: Facts,
): Block {
  if (token.type === 'table')
    return { title, language: 'form', fields: fieldsOf(at, token as Tokens.Table, names) };
  const { language, text, begin } = codeOf({ at, token });
  for (const [index, line] of text.split('\n').entries()) {
    const name = partIn(line);
    if (name === undefined) continue;
    const place = { ...at, line: begin.line + index };
    const part = parts[name] ?? fail(place, line, `a part: ${Object.keys(parts).join(', ')}`);
    for (const { found, expected } of textFaults(part, names, languages))
      fail(place, `${name} has ${found}`, expected);
  }
  checkText(begin, text, names, languages);
  return { title, language, text: withParts(text, parts) };
}

/** Fenced code: its language, its text, which ends with a line break, and where that begins. */
function codeOf({ at, token }: Part) {
  if (token.type !== 'code') return fail(at, firstLine(token), form);
  const { lang = '', text } = token as Tokens.Code;
  const language = languages.find((each) => each === lang);
  if (!language) return fail(at, firstLine(token), `a language: ${languages.join(', ')}`);
  return { language, text: `${text}\n`, begin: { ...at, line: at.line + 1 } };
}

function fieldsOf({ file, line }: Place, { rows }: Tokens.Table, names: readonly string[]) {
  return rows.map(([label, value], index) => {
    const at = { file, line: line + 2 + index };
    const [code, ...more]: Token[] = value?.tokens ?? [];
    if (code?.type !== 'codespan' || more.length > 0)
      return fail(at, value?.text || 'nothing', 'a value between backticks');
    const { text } = code as Tokens.Codespan;
    checkText(at, text, names);
    return [wordsOf(at, label as Tokens.TableCell), text] as const;
  });
}

/** The only part of a text, which has to be code. */
function onlyCode([only, other]: readonly Part[], start: Place) {
  if (other) fail(other.at, firstLine(other.token), 'nothing after the code');
  return codeOf(only ?? { at: start, token: { type: 'space', raw: '' } });
}

/** A text that several recipes share: one block of code. */
function readPart([file, text]: NamedFile): [name: string, text: string] {
  const start = { file, line: 1 };
  return [idOf(file), onlyCode(partsOf(text, start), start).text];
}

const checkerFacts = z.strictObject({
  place: z.number(),
  language: z.string(),
  file: z.string(),
  install: z.strictObject({ jwt: z.string().optional(), opaque: z.string().optional() }),
});
const checkerNames = ['issuer', 'identifier', 'challenge', 'acrs', 'jwks', 'introspect', 'typ'];
const checkerWords = ['jwt', 'at-jwt', 'plain-jwt', 'opaque'];

/** A program that checks the tokens of an API: facts, and one block of code. */
function readChecker([file, written]: NamedFile): { checker: CheckerSource; place: number } {
  const { head, parts } = readPage(file, written, checkerFacts);
  const { language, text, begin } = onlyCode(parts, { file, line: 1 });
  checkText(begin, text, checkerNames, checkerWords);
  const { place, file: title, ...facts } = head;
  return { checker: { id: idOf(file), ...facts, block: { title, language, text } }, place };
}

/**
 * A page about one kind of proxy: each block of code, titled by its nearest heading or by the file
 * that the paragraph above it names.
 */
function readGuard([file, written]: NamedFile): GuardSource {
  const start = { file, line: 1 };
  const blocks: GuardSource['blocks'] = [];
  let [name, title] = ['', ''];
  for (const { token } of partsOf(written, start)) {
    if (token.type === 'heading') {
      title = (token as Tokens.Heading).text;
      if ((token as Tokens.Heading).depth === 1)
        name = title = title.replace(/^Guard apps (?:with|in) /, '');
    } else if (token.type === 'paragraph') {
      title = /^In `(\/[^`]+)`:$/.exec((token as Tokens.Paragraph).text)?.[1] ?? title;
    } else if (token.type === 'code') blocks.push({ title, text: (token as Tokens.Code).text });
  }
  return blocks.length > 0 ? { id: idOf(file), name, blocks } : fail(start, 'no code', 'code');
}
