import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import type { Message, Piece } from '../messages/message.ts';
import { root } from './schema.ts';

const place = resolve(root, 'lib/messages/compiled');
const catalogues = resolve(root, 'lib/messages/catalogues');

/**
 * Compiles a catalogue of ICU MessageFormat.
 * @throws Error with the key, the message and the reason
 */
export function compileCatalogue(catalogue: Record<string, string>): Record<string, Message> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => [key, compileMessage(key, message)]),
  );
}

function compileMessage(key: string, message: string): Message {
  try {
    return joined(piecesOf(parse(message, { ignoreTag: true }), ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The message ${key} is not ICU MessageFormat (${reason}): ${message}`);
  }
}

/** @param counted the name of the count that a `#` refers to */
function piecesOf(elements: readonly MessageFormatElement[], counted: string): Piece[] {
  return elements.map((element) => {
    if (isLiteralElement(element)) return unbroken(element.value);
    if (isArgumentElement(element)) return { hole: element.value };
    if (isNumberElement(element) && !element.style) return { number: element.value };
    if (isPoundElement(element)) return { number: counted };
    if (isSelectElement(element))
      return { select: element.value, cases: casesOf(element.options, counted) };
    if (isPluralElement(element) && element.pluralType === 'cardinal' && !element.offset)
      return { plural: element.value, cases: casesOf(element.options, element.value) };
    throw new Error('expected {name}, {count, number}, plural or select');
  });
}

type Options = Record<string, { value: readonly MessageFormatElement[] }>;

function casesOf(options: Options, counted: string) {
  const cases = Object.entries(options).map(([name, { value }]): [string, Message] => [
    name,
    joined(piecesOf(value, counted)),
  ]);
  return Object.fromEntries(cases) as Extract<Piece, { cases: object }>['cases'];
}

function joined(pieces: readonly Piece[]): Message {
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;
}

/**
 * Keeps the letter of "E-Mail" from being left alone at the end of a line. All other text is kept
 * as it is, because names are copied from pages.
 */
const unbroken = (text: string) => text.replace(/(?<!\p{L})E-(?=Mail)/gu, 'E-\u2060');

/** The values that a message needs: numbers for plurals, text for the rest. */
function valuesOf(message: Message): Map<string, 'number' | 'text'> {
  if (typeof message === 'string') return new Map();
  return new Map(
    message.flatMap((piece): [string, 'number' | 'text'][] => {
      if (typeof piece === 'string') return [];
      if ('number' in piece) return [[piece.number, 'number']];
      if ('hole' in piece) return [[piece.hole, 'text']];
      const below = Object.values(piece.cases).flatMap((each) => [...valuesOf(each)]);
      return [...below, 'plural' in piece ? [piece.plural, 'number'] : [piece.select, 'text']];
    }),
  );
}

/** Writes the type of the values for each message that has any. */
function typesOf(catalogue: Record<string, Message>): string {
  const lines = Object.entries(catalogue).flatMap(([key, message]) => {
    const values = [...valuesOf(message)];
    const written = values.map(([name, kind]) => `${name}: ${kind === 'text' ? 'V' : 'number'}`);
    return values.length === 0 ? [] : [`  ${JSON.stringify(key)}: { ${written.join('; ')} };`];
  });
  return `export type MessageValues<V> = {\n${lines.join('\n')}\n};\n`;
}

/**
 * Writes lib/messages/compiled: English as a module, with the types of the values that its messages
 * need, and each other language as a file that is read when first used (messages/locales.ts).
 */
function compileMessages(): void {
  const files = globSync('*/*.json', { cwd: catalogues }).sort();
  const compiled = [...new Set(files.map(dirname))].map((language): [string, string] => {
    const catalogue = compileCatalogue(
      mergeFiles(files.filter((file) => dirname(file) === language)),
    );
    if (language !== 'en') return [`${language}.json`, JSON.stringify(catalogue)];
    const text = `export const en = ${JSON.stringify(catalogue, null, 2)} as const;\n`;
    return ['en.ts', `${text}\n${typesOf(catalogue)}`];
  });
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [file, text] of compiled) writeFileSync(resolve(place, file), text);
}

/**
 * Merges the messages of a language, which are split into files by audience.
 * @throws Error if two files have the same key
 */
function mergeFiles(files: readonly string[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const file of files)
    for (const [key, message] of Object.entries<string>(
      JSON.parse(readFileSync(resolve(catalogues, file), 'utf8')),
    )) {
      if (Object.hasOwn(merged, key)) throw new Error(`The message ${key} is there twice: ${file}`);
      merged[key] = message;
    }
  return merged;
}

if (import.meta.main) compileMessages();
