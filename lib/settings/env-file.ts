import { settingsFileOf } from './data-folder.ts';
import { isOurName, nearestInFile, nearestName } from './names.ts';
import { NotText, readTextFile, userName } from './text-file.ts';

type Environment = Record<string, string | undefined>;

/** A `.env` file that cannot be used. The message is a sentence for the operator, without values. */
export class EnvFileError extends Error {}

/**
 * Set in the environment before Next.js is loaded, this keeps its reader (`@next/env`) from `.env`
 * in the folder of Gatehouse: it would read it beside SETTINGS_DIR, and replace `$NAME` also in
 * variables that are set.
 */
export const keepsNextFromEnvFiles = { __NEXT_PROCESSED_ENV: 'true' } as const;

/** What `.env` says. */
type EnvFile = {
  values: Record<string, string>;
  /** A sentence on the names in it that are not ours, or null. */
  others: string | null;
};

/**
 * Reads `.env`, the one way that every program here does. Without the file nothing is set.
 * @param root the folder of Gatehouse
 * @throws EnvFileError
 */
export function readEnvFile(env: Environment, root: string): EnvFile {
  const path = settingsFileOf(env, root);
  const text = textAt(path);
  return text === null ? { values: {}, others: null } : parseEnvFile(text, path);
}

/**
 * Sets what `.env` says and the environment does not.
 * @param warn is told about names in the file that are not ours
 * @returns the names that were set
 * @throws EnvFileError
 */
export function addEnvFile(
  env: Environment,
  root: string,
  warn: (sentence: string) => void = () => {},
): string[] {
  const { values, others } = readEnvFile(env, root);
  if (others) warn(others);
  const added = Object.entries(values).filter(([name]) => !(name in env));
  for (const [name, value] of added) env[name] = value;
  return added.map(([name]) => name);
}

function textAt(path: string): string | null {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof NotText) throw new EnvFileError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new EnvFileError(
      `${path} cannot be read by ${userName()} (${code}). Give that user the right to read it, call this as a user who may, or set SETTINGS_DIR to another folder.`,
    );
  }
}

/**
 * Parses `.env`. Lines are `NAME=value` or `export NAME=value`. A value is taken whole, up to a
 * blank before `#`, without marks at its ends that nobody sees; `$` means nothing. A line that
 * begins with `#` or `;` is a comment. In single quotes or backticks everything is literal, also
 * line breaks; in double quotes `\n`, `\"`, `\\`, `\$` and `` \` `` are one character. The last of
 * two lines for a name counts.
 * @param path the file, for messages
 * @throws EnvFileError that names each wrong line
 */
export function parseEnvFile(text: string, path: string): EnvFile {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  const others: string[] = [];
  for (const { line, name, value, fault } of assignmentsIn(text.replace(/\r\n?/g, '\n'))) {
    if (fault !== undefined) faults.push(`Line ${line} of ${path} ${fault}`);
    else {
      values[name] = value;
      const judged = value === '' || isOurName(name) ? null : judge(name);
      if (judged?.meant)
        faults.push(
          `There is no variable ${name} (line ${line} of ${path}). Did you mean ${judged.meant}?`,
        );
      else if (judged?.isOther) others.push(`${name} (line ${line})`);
    }
  }
  if (faults.length > 0) throw new EnvFileError(shortened(faults, ' '));
  return {
    values,
    others:
      others.length === 0
        ? null
        : `${path} sets what this server does not know, and leaves to CONFIG_FILE and other programs: ${shortened(others, ', ')}.`,
  };
}

const mostNamed = 10;

const shortened = (all: readonly string[], between: string): string =>
  [
    ...all.slice(0, mostNamed),
    ...(all.length > mostNamed ? [`${all.length - mostNamed} more`] : []),
  ].join(between);

/** The name that was meant; or whether it is another program's, which the start says only here. */
function judge(name: string): { meant?: string | undefined; isOther?: boolean } {
  const meant = nearestInFile(name);
  return meant ? { meant } : { isOther: !nearestName(name) && name.length <= 64 };
}

type Assignment = { line: number; name: string; value: string; fault?: string };

/** What may stand before `=`. */
const namePattern = /^(?:export[ \t]+)?([A-Za-z_][\w.-]*)$/;

/** Reads each line once, from the first to the last. @param text with line feeds alone */
function* assignmentsIn(text: string): Generator<Assignment> {
  let line = 0;
  for (let at = 0; at < text.length; ) {
    line++;
    const end = endOfLine(text, at);
    const said = text.slice(at, end).trim();
    const sign = text.indexOf('=', at);
    const before = text.slice(at, sign < 0 || sign > end ? end : sign).trim();
    const name = namePattern.exec(before)?.[1];
    if (/^(?:$|[#;])/.test(said)) at = end + 1;
    else if (sign < 0 || sign > end) {
      yield { line, name: '', value: '', fault: withoutSign(said) };
      at = end + 1;
    } else if (!name) {
      yield { line, name: '', value: '', fault: withoutName(before) };
      at = end + 1;
    } else {
      const read = valueAt(text, sign + 1, end);
      yield { line, name, ...read };
      line += text.slice(at, read.next).split('\n').length - 1;
      at = read.next + 1;
    }
  }
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

type Value = { value: string; next: number; fault?: string };

/** The value that begins here. @param end where its first line ends */
function valueAt(text: string, start: number, end: number): Value {
  const raw = text.slice(start, end);
  const [blanks = '', quote] = /^\s*(["'`])?/.exec(raw) ?? [];
  if (quote) return quotedAt(text, start + blanks.length, quote);
  const comment = raw.search(/\s#/);
  const typeset = /^[“”„‘’«]/.exec(raw.trim());
  if (typeset)
    return {
      value: '',
      next: end,
      fault: `begins with a quote of printed text (${typeset[0]}). Write " or '; if the quote belongs to the value, put the whole value into those.`,
    };
  const value = (comment < 0 ? raw : raw.slice(0, comment)).trim();
  return { value: withoutMarks(value), next: end };
}

/** Without the marks that nobody sees at both ends, as chat programs paste them. */
function withoutMarks(value: string): string {
  const signs = [...value];
  const isSeen = (sign: string) => !/\p{Cf}/u.test(sign);
  return signs.slice(signs.findIndex(isSeen), signs.findLastIndex(isSeen) + 1).join('');
}

/** @param start after the quote that opens */
function quotedAt(text: string, start: number, quote: string): Value {
  let at = start;
  while (at < text.length && text[at] !== quote) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  if (at >= text.length)
    return {
      value: '',
      next: endOfLine(text, start),
      fault: `begins with a quote (${quote}) that ends nowhere. End the value with the same one; if the quote belongs to it, put the whole value into other quotes.`,
    };
  const end = endOfLine(text, at);
  const rest = text.slice(at + 1, end).trim();
  const inside = text.slice(start, at);
  const value = quote === '"' ? inside.replace(/\\([\\"$`n])/g, unescaped) : inside;
  return rest === '' || rest.startsWith('#')
    ? { value, next: end }
    : {
        value,
        next: end,
        fault: `goes on after the quote (${quote}) that ends the value. Put the whole value into quotes that it does not contain.`,
      };
}

const unescaped = (_: string, char: string) => (char === 'n' ? '\n' : char);

/** The line may hold a secret, so that only a name of ours is repeated. */
function withoutSign(said: string): string {
  const meant = meantBy(said.replace(/^export\s+/, '').split(/[\s:]/)[0] ?? '');
  return meant
    ? `has no "=": write ${meant}=VALUE.`
    : 'has no "=": write NAME=VALUE, and # before a comment. A value of several lines stands in quotes.';
}

function withoutName(before: string): string {
  const last = before.split(/[\s:]/).filter(Boolean).at(-1) ?? '';
  const plain = last.replace(/[^\w.-]/g, '');
  const meant = plain === '' ? undefined : meantBy(plain);
  const strange = /[^\x20-\x7e]/u.exec(before)?.[0].codePointAt(0);
  const hidden =
    strange === undefined
      ? ''
      : ` (it contains U+${strange.toString(16).toUpperCase().padStart(4, '0')})`;
  return `has no name of a variable before "="${hidden}.${meant ? ` Did you mean ${meant}?` : ''}`;
}

const meantBy = (word: string) => (isOurName(word) ? word : nearestInFile(word));
