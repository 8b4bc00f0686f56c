import { metadataAddress } from './api/published.ts';
import { literal } from './text.ts';

/** The values that a text can name, by their names. */
export type Facts = Readonly<Record<string, string>>;

/** What can be made from a value: `{{address.host}}`. */
const made = {
  host: (value: string) => new URL(value).host,
  hostname: (value: string) => new URL(value).hostname,
  port: (value: string) => new URL(value).port,
  scheme: (value: string) => new URL(value).protocol.slice(0, -1),
  /** As a string in JSON. */
  json: (value: string) => literal('json', value),
  /** As part of a query. */
  encoded: (value: string) => new URLSearchParams({ value }).toString().slice('value='.length),
  /** The address of the metadata of this API (RFC 9728 section 3.1). */
  metadata: metadataAddress,
} as const;

/**
 * A gap in a text. Braces with a blank inside, `{{ user }}`, belong to the text itself: several
 * languages have them.
 */
const gap = /\{\{([A-Za-z][^{}]*)\}\}/g;
const named = /^(\w+)(?:\.(\w+))?(?: or (\w+))?$/;
/** A line that says which lines follow. */
const condition = /^\s*\{\{(?:(if) ([\w.-]+)|(else)|(end))\}\}$/;
const part = /^\{\{part ([\w-]+)\}\}$/;

/**
 * Fills the gaps of a text.
 * @param write how a value is written where it stands
 * @throws Error for a gap that `gapFault` reports, or a value that cannot be written
 */
export function fillGaps(
  text: string,
  facts: Facts,
  write: (value: string) => string = (value) => value,
): string {
  return text.replace(gap, (_, inside: string) => {
    const [, name = '', how = '', otherwise = ''] = named.exec(inside) ?? [];
    const value = facts[name];
    if (value === undefined) throw new Error(`There is no value ${name}.`);
    return write((how ? made[how as keyof typeof made](value) : value) || otherwise);
  });
}

/**
 * Chooses the lines of a text: those between `{{if issuer.http}}` and `{{else}}` or `{{end}}` are
 * for an issuer with this scheme, those after `{{if typescript}}` for what is true there.
 */
export function chooseLines(text: string, facts: Facts, isTrue: (word: string) => boolean): string {
  const lines: string[] = [];
  let shown = true;
  for (const line of text.split('\n')) {
    const [found, , word = '', isElse] = condition.exec(line) ?? [];
    if (found === undefined) {
      if (shown) lines.push(line);
    } else if (isElse) shown = !shown;
    else shown = word === '' || holds(word, facts, isTrue);
  }
  return lines.join('\n');
}

function holds(word: string, facts: Facts, isTrue: (word: string) => boolean): boolean {
  const [name = '', scheme = ''] = word.split('.');
  return scheme === '' ? isTrue(word) : facts[name]?.startsWith(`${scheme}:`) === true;
}

/** The name of the shared part that a line stands for, if it is one: `{{part node-tokens}}`. */
export const partIn = (line: string): string | undefined => part.exec(line)?.[1];

/** Puts the shared parts that a text names in their place. */
export const withParts = (text: string, parts: Facts): string =>
  text
    .split('\n')
    .map((line) => parts[partIn(line) ?? '']?.trimEnd() ?? line)
    .join('\n');

/** What cannot be read in a text, and in which of its lines. */
type TextFault = { line: number; found: string; expected: string };

/** What is wrong with the gaps and conditions of a text that can name these values and words. */
export function textFaults(
  text: string,
  names: readonly string[],
  words: readonly string[] = [],
): TextFault[] {
  let open = false;
  const faults = text.split('\n').flatMap((line, index) => {
    const fault = (found: string, expected: string) => [{ line: index, found, expected }];
    const [found, isIf, word = '', isElse] = condition.exec(line) ?? [];
    if (found === undefined) return gapsIn(line).flatMap((each) => gapFault(each, names, fault));
    const isOutOfPlace = isIf ? open : !open;
    open = Boolean(isIf || isElse);
    if (isOutOfPlace) return fault(found, 'one condition after the other, none inside another');
    return isIf && !isWord(word, names, words)
      ? fault(found, `one of ${[...words, 'NAME.http', 'NAME.https'].join(', ')}`)
      : [];
  });
  return open ? [...faults, { line: 0, found: '{{if}}', expected: '{{end}} below it' }] : faults;
}

const gapsIn = (line: string) => (partIn(line) === undefined ? [...line.matchAll(gap)] : []);

function isWord(word: string, names: readonly string[], words: readonly string[]): boolean {
  const [name = '', scheme = ''] = word.split('.');
  return words.includes(word) || (names.includes(name) && /^https?$/.test(scheme));
}

function gapFault(
  [whole, inside = '']: readonly string[],
  names: readonly string[],
  fault: (found: string, expected: string) => TextFault[],
): TextFault[] {
  const [found, name = '', how] = named.exec(inside) ?? [];
  if (found === undefined || !names.includes(name))
    return fault(whole ?? '', `one of ${names.join(', ')}; or {{ ${inside} }}, if it is no gap`);
  const isKnown = how === undefined || Object.hasOwn(made, how);
  return isKnown ? [] : fault(whole ?? '', `one of ${Object.keys(made).join(', ')} after the dot`);
}
