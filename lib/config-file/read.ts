import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { faultsOfIssue } from '../management/shape-faults.ts';
import { defaultLocale } from '../messages/locales.ts';
import { sentenceIn } from '../messages/text.ts';
import { findSettingKey } from '../settings/table.ts';
import { type Fault, FileRefused, mostShown } from './faults.ts';
import { type ConfigFile, fileSchema } from './schema.ts';

/** The content of the file, and the line of each part. */
export type Source = {
  file: string;
  /** The folder that file names in it are relative to. */
  folder: string;
  content: ConfigFile;
  lineOf: (path: Fault['path']) => number | null;
  /** What is wrong with its shape. The content is then what is whole, and is only checked. */
  faults: readonly Fault[];
  /** The names of what is left out of the content because its shape is wrong. */
  leftOut: ReadonlySet<string>;
};

/** The largest file, in bytes. A thousand apps take a tenth of it. */
const largestFile = 2 * 1024 * 1024;
/** Nothing in a valid file is nested deeper. */
const deepest = 12;

/**
 * Reads the text of a file.
 * @param file its name in error messages
 * @throws FileRefused with everything that is wrong, if nothing can be checked besides its shape
 */
export function readConfigFile(text: string, file: string, folder: string): Source {
  const refuse = (wrong: Fault[]): never => {
    throw new FileRefused(file, wrong);
  };
  if (text.length > largestFile)
    refuse([
      {
        path: [],
        line: null,
        sentence: `The file is larger than ${largestFile / 1024 / 1024} MiB.`,
      },
    ]);
  const lines = new LineCounter();
  const document = parse(text, lines);
  if ('sentence' in document) return refuse([document]);
  const lineOf = (path: Fault['path']) => lineIn(document, lines, path);
  const unfit = [...syntaxFaults(document, lines), ...keyFaults(document, lines)];
  if (unfit.length > 0) return refuse(unfit);
  const value = plainValue(document);
  if (value === undefined)
    return refuse([
      { path: [], line: null, sentence: 'There are too many aliases (*name) in the file.' },
    ]);
  if (isBlank(value)) return refuse([nothingThere]);
  const parsed = fileSchema.safeParse(value);
  const source = { file, folder, lineOf };
  if (parsed.success)
    return { ...source, content: parsed.data, faults: [], leftOut: new Set<string>() };
  const issues = parsed.error.issues.slice(0, mostShown + 1);
  const wrong = issues.flatMap((issue) => faultsIn(issue, value));
  const faults = wrong.map((fault) => ({ ...quoted(document, fault), line: lineOf(fault.path) }));
  const { rest, leftOut } = wholeOf(value, faults);
  const whole = fileSchema.safeParse(rest);
  return whole.success ? { ...source, content: whole.data, faults, leftOut } : refuse(faults);
}

/** The file without each thing that has a fault; a list or the branding is left out as a whole. */
function wholeOf(value: unknown, faults: readonly Fault[]) {
  const rest = { ...(value as Record<string, unknown>) };
  const leftOut = new Set<string>();
  for (const { path } of faults) {
    const [section = '', name] = path.map(String);
    const things = rest[section];
    const isOne = name === undefined || Array.isArray(things) || section === 'branding';
    if (isOne || typeof things !== 'object' || things === null) delete rest[section];
    else {
      leftOut.add(name);
      rest[section] = Object.fromEntries(Object.entries(things).filter(([key]) => key !== name));
    }
  }
  return { rest, leftOut };
}

/** Where a text is wanted, shows a number as it was written: as a number it may have lost digits. */
function quoted(document: Document, fault: Omit<Fault, 'line'>): Omit<Fault, 'line'> {
  const node = document.getIn(fault.path, true);
  if (!isScalar(node) || typeof node.value !== 'number' || !node.source) return fault;
  const asRead = JSON.stringify(node.value);
  const wrong = `is ${asRead}, and has to be a string.`;
  if (!fault.sentence.endsWith(wrong)) return fault;
  const sentence = fault.sentence.replace(wrong, () => wrong.replace(asRead, `${node.source}`));
  return { ...fault, sentence: `${sentence} Put it in quotes: "${node.source}".` };
}

/** A file that was cut off or not written yet looks like this. */
const nothingThere: Fault = {
  path: [],
  line: null,
  sentence:
    'There is no section in the file, so everything that a file kept would be removed. If you mean that, write an empty section: apps: {}.',
};

const isBlank = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).every((name) => name === '$schema');

const tooDeep: Fault = { path: [], line: null, sentence: 'The file is nested too deeply.' };

function parse(text: string, lineCounter: LineCounter): Document | Fault {
  if (depthOf(text) > deepest * 8) return tooDeep;
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      logLevel: 'error',
      // The parser compares each name with all others, which is slow; `keyFaults` is not.
      uniqueKeys: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    throw error;
  }
}

/** The deepest nesting of brackets, or of dashes in a row, which makes the parser recurse. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const { 0: sign } of text.matchAll(/[[{]|[\]}]|^(?:[ \t]*[-?:][ \t])+/gm)) {
    depth = ']}'.includes(sign) ? Math.max(0, depth - 1) : depth + 1;
    most = Math.max(most, /[[{]/.test(sign) ? depth : sign.length / 2);
    if (!/[[{\]}]/.test(sign)) depth = Math.max(0, depth - 1);
  }
  return most;
}

const sentences: Record<string, string> = {
  MULTIPLE_DOCS: 'There are several documents in the file. Keep one.',
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  BAD_INDENT: 'The indentation does not fit the lines above.',
  MULTILINE_IMPLICIT_KEY: 'A name and its colon have to be on one line.',
  TAG_RESOLVE_FAILED: 'Tags (!name) are not known here.',
};

/** The parser's own messages are not shown: they may quote the file, and a misplaced secret. */
function syntaxFaults(document: Document, lines: LineCounter): Fault[] {
  return [...document.errors, ...document.warnings].map(({ code, pos }) => ({
    path: [],
    line: lines.linePos(pos[0]).line,
    sentence:
      sentences[code] ??
      'This is not valid YAML. A text with : # [ ] { } & * ! | > % @ in it needs quotes.',
  }));
}

function keyFaults(document: Document, lines: LineCounter): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Map: (_, { items }, ancestors) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const sentence = keyFault(key, seen);
        const at = (key as { range?: [number] } | null)?.range?.[0] ?? 0;
        const { line } = lines.linePos(at);
        if (ancestors.length > 3 * deepest) faults.push({ ...tooDeep, line });
        else if (sentence) faults.push({ path: [], line, sentence });
        if (faults.length > 50) return visit.BREAK;
      }
      return undefined;
    },
  });
  return faults;
}

/** What is wrong with a name, given the names seen so far. */
function keyFault(key: unknown, seen: Set<unknown>): string | null {
  if (!isScalar(key) || typeof key.value !== 'string')
    return 'A name here is a text: put it in quotes.';
  if (key.value === '__proto__') return 'This name cannot be used here.';
  if (seen.has(key.value)) return 'This name appears here twice.';
  seen.add(key.value);
  return null;
}

/** Undefined if aliases would make it too large. */
function plainValue(document: Document): unknown {
  try {
    return withoutEmpty(document.toJS({ maxAliasCount: 100 }) ?? {});
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Leaves out sections that have nothing below them. */
function withoutEmpty(whole: unknown): unknown {
  if (typeof whole !== 'object' || Array.isArray(whole) || whole === null) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([, section]) => section !== null));
}

/** The line of the value at a path, or of its nearest parent that has one. */
function lineIn(document: Document, lines: LineCounter, path: Fault['path']): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true) as unknown;
    const last = path[length - 1];
    const key = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === last)?.key
      : document.getIn(path.slice(0, length), true);
    const [at] = (key as { range?: [number] } | undefined)?.range ?? [];
    if (at !== undefined) return lines.linePos(at).line;
  }
  return null;
}

/** A setting that only the environment can set is not reported as an unknown name. */
function faultsIn(issue: z.core.$ZodIssue, whole: unknown): Omit<Fault, 'line'>[] {
  const faults = faultsOfIssue(issue, whole, fileSchema).map(({ path, sentence }) => ({
    path,
    sentence: sentenceIn(defaultLocale, sentence),
  }));
  if (issue.code !== 'unrecognized_keys' || issue.path[0] !== 'settings') return faults;
  return faults.map((fault) => {
    const key = String(fault.path.at(-1));
    const isKnown = key === key.toUpperCase() && findSettingKey(key);
    return isKnown ? { ...fault, sentence: `${key} can only be set in the environment.` } : fault;
  });
}
