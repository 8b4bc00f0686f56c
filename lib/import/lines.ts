import { parse } from 'csv-parse/sync';
import { refuseAdmin } from '../management/refusal.ts';
import { sentence } from '../messages/sentence.ts';
import { mostInBatch } from '../store/batches.ts';

/** A line of a list of people: its number in the file, and its cells. */
export type Line = { at: number; cells: string[] };

/** A list of people as a table. Its head is empty if the list has none. */
export type Lines = { head: string[]; lines: Line[] };

/** The longest text, in characters, and the most lines with people. */
type Limits = { longest: number; most: number };
const ofLists: Limits = { longest: 1_000_000, most: mostInBatch };

/** The longest line, in characters. */
const longestLine = 10_000;
const mostColumns = 50;

/**
 * Reads a list of people: addresses separated by commas, semicolons or line ends, or a table whose
 * cells are separated by commas, semicolons, tabs, bars, or what a first line `sep=` says.
 * @throws AdminRefusal
 */
export function readLines(text: string, { longest, most } = ofLists): Lines {
  if (text.length > longest) refuseAdmin('list', sentence('refused.import.long'));
  // The characters that binary data decodes to.
  if (/[\0\uFFFD]/.test(text) || !text.isWellFormed())
    refuseAdmin('list', sentence('refused.import.binary'));
  const [, sign] = /^\uFEFF?sep=([^\r\n])(?=[\r\n])/i.exec(text) ?? [];
  // The line stays, so that the others keep their numbers.
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/^sep=[^\r\n](?=[\r\n])/i, '')
    .replace(asText, '"');
  const long = plain.split(/\r\n|\r|\n/).findIndex((line) => line.length > longestLine);
  if (long >= 0) refuseAdmin('list', sentence('refused.import.longLine', { line: long + 1 }));
  const [first = ''] = plain.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const found = isAddresses(first, plain)
    ? readAddresses(plain)
    : readTable(plain, sign ?? delimiterOf(firstOfCells(plain) ?? first));
  if (found.lines.length === 0) refuseAdmin('list', sentence('refused.import.empty'));
  if (found.lines.length > most) refuseAdmin('list', sentence('refused.import.tooMany', { most }));
  return found;
}

/** `="0049"`, by which exports keep a spreadsheet from taking a text for a number. */
const asText = /(?<=^|[,;\t|])="(?=(?:[^"\r\n]|"")*"(?:[,;\t|\r\n]|$))/gm;

/** An address, perhaps with a name before it: `Ada Lovelace <ada@example.org>`. */
const anAddress =
  /^(?:"?([^"<>]*)(?:"\s*)?<\s*([^<>\s@]+@[^<>\s]+)\s*>|([^<>\s"@,;]+@[^<>\s",;]+))$/;

/** Longer parts are not addresses, and are never matched against the pattern. */
const longestPart = 500;
const isAddress = (part: string) => part.length <= longestPart && anAddress.test(part);

/**
 * What stands side by side in a line. A comma before the address belongs to the name, as mail
 * programs write it: `Lovelace, Ada <ada@example.org>`.
 */
const partsOf = (line: string) =>
  line
    .split(/[;\t]|(?<=@[^,;\t]*),/)
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Whether the text is a list of addresses. Several addresses side by side are a list, because a
 * table has all of its addresses in one column.
 */
function isAddresses(first: string, text: string): boolean {
  const parts = partsOf(first);
  if (parts.length === 0 || !parts.every(isAddress)) return false;
  if (parts.length > 1) return true;
  return text.split(/[\r\n]+/).every((line) => {
    const beside = partsOf(line);
    return beside.length <= 1 || beside.every(isAddress);
  });
}

/** `Lovelace, Ada` as `Ada Lovelace`. */
const asSpoken = (name: string) => name.replace(/^([^,]+),\s*([^,]+)$/, '$2 $1');

function readAddresses(text: string): Lines {
  const lines = text.split(/\r\n|\r|\n/).flatMap((line, index) =>
    partsOf(line).map((part) => {
      const [, name = '', before, alone] = (isAddress(part) && anAddress.exec(part)) || [];
      return { at: index + 1, cells: [before ?? alone ?? part, asSpoken(name.trim())] };
    }),
  );
  return { head: ['email', 'name'], lines };
}

function readTable(text: string, delimiter: string): Lines {
  // Checked before parsing, because a million empty cells would take long.
  const full = text.split(/\r\n|\r|\n/).findIndex((line) => line.split(delimiter).length > 200);
  if (full >= 0)
    refuseAdmin('list', sentence('refused.import.wide', { line: full + 1, most: mostColumns }));
  const all = parsed(text, delimiter).filter(({ cells }) => cells.some(Boolean));
  const rows = narrowed(all.slice(all.findIndex((_, at) => !isTitle(all, at))));
  const wide = rows.find(({ cells }) => cells.length > mostColumns);
  if (wide)
    refuseAdmin('list', sentence('refused.import.wide', { line: wide.at, most: mostColumns }));
  const [head] = rows;
  const hasHead = head !== undefined && !head.cells.some((cell) => cell.includes('@'));
  return hasHead ? { head: head.cells, lines: rows.slice(1) } : { head: [], lines: rows };
}

/** A title, `#TYPE …` of PowerShell, `version:v1.0` of Entra's templates. */
function isTitle(rows: readonly Line[], at: number): boolean {
  const [cells, next] = [filledIn(rows[at]), filledIn(rows[at + 1])];
  return cells.length === 1 && next.length > 1 && !cells.some((cell) => cell.includes('@'));
}
const filledIn = (row: Line | undefined): string[] => row?.cells.filter(Boolean) ?? [];

/** Without the columns at the end that are empty in every line, which some spreadsheets write. */
function narrowed(rows: Line[]): Line[] {
  const width = rows.reduce(
    (most, { cells }) => Math.max(most, cells.findLastIndex(Boolean) + 1),
    0,
  );
  return rows.map(({ at, cells }) => ({ at, cells: cells.slice(0, width) }));
}

/** The first line that more than one cell can stand in. */
const firstOfCells = (text: string): string | undefined => /^.*[,;\t|].*$/m.exec(text)?.[0];

/** The delimiter of the cells: whichever is most frequent in the first line, outside quotes. */
function delimiterOf(first: string): string {
  const bare = first.replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => [bare.split(sign).length, sign] as const);
  return counted.reduce((most, each) => (each[0] > most[0] ? each : most))[1];
}

type Parsed = { record: string[]; info: { lines: number } };

function parsed(text: string, delimiter: string): Line[] {
  try {
    const rows = parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
      max_record_size: longestLine,
    }) as unknown as Parsed[];
    return rows.map(({ record, info }) => ({ at: info.lines, cells: record }));
  } catch (error) {
    const { code = '', lines = 0 } = error as { code?: string; lines?: number };
    if (code === 'CSV_MAX_RECORD_SIZE')
      refuseAdmin('list', sentence('refused.import.longLine', { line: lines }));
    if (/QUOTE/.test(code)) refuseAdmin('list', sentence('refused.import.quote', { line: lines }));
    throw error;
  }
}
