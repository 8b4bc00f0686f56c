import type { Readable } from 'node:stream';
import { z } from 'zod';
import { BackupError } from './envelope.ts';
import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/*
 * A backup is lines of JSON: a header, then each table (an object) followed by its rows (arrays),
 * and finally the number of rows of each table with their SHA-256. Without that last line the
 * backup is not complete.
 */

export const format = 1;
const kinds = ['text', 'number', 'flag', 'moment', 'bytes'] as const;
const name = z.string().regex(/^[a-z_]{1,60}$/);

const about = z.object({
  gatehouse: z.literal('backup'),
  format: z.number(),
  version: z.string(),
  database: z.enum(['sqlite', 'postgresql']),
  migration: z.string(),
  at: z.iso.datetime(),
  issuer: z.string(),
  /** Identifies the server secret that seals the keys in the backup. */
  secretId: z.string(),
  /** The server secrets, the current one first; only in a backup with a passphrase. */
  secrets: z.array(z.string()).optional(),
});
/** The header of a backup. */
export type About = z.infer<typeof about>;

const table = z.object({
  table: name,
  columns: z.record(name, z.enum(kinds)),
  key: z.array(name).min(1),
});
const end = z.object({
  end: z.literal(true),
  tables: z.record(name, z.object({ rows: z.number(), sha256: z.string() })),
});
/** How many rows each table has, and their SHA-256. */
export type Sums = z.infer<typeof end>['tables'];

/** A part of a backup; parts come in this order. */
export type Part =
  | { about: About }
  | { table: Table }
  | { row: Row; line: string }
  | { sums: Sums };

export const tableLine = ({ name, columns, key }: Table) =>
  JSON.stringify({ table: name, columns, key });

/**
 * Reads the parts of a backup.
 * @throws BackupError if a part is malformed, or the end is missing
 */
export async function* partsOf(text: Readable): AsyncGenerator<Part> {
  let ended = false;
  let first = true;
  for await (const line of linesOf(text)) {
    if (ended) throw damaged();
    const part = first ? aboutIn(line) : partIn(line);
    first = false;
    ended = 'sums' in part;
    yield part;
  }
  if (!ended) throw new BackupError('This backup is cut off: its end is missing. Use another one.');
}

/** In characters. The longest row contains a picture of some hundred thousand bytes. */
const longestLine = 16 * 1024 * 1024;

/** Splits a text into lines, none of which may grow too long for memory. @throws BackupError */
async function* linesOf(text: Readable): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of text.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = chunk.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      yield parts.join('') + line;
      parts = [];
      length = 0;
    }
    parts.push(rest);
    length += rest.length;
    if (length > longestLine) throw damaged();
  }
  if (length > 0) yield parts.join('');
}

function aboutIn(line: string): Part {
  const parsed = about.safeParse(parseJson(line));
  if (!parsed.success) throw new BackupError('This file is no backup of Gatehouse.');
  if (parsed.data.format !== format)
    throw new BackupError(
      `This backup has the format ${parsed.data.format}, and this version reads ${format}. Use version ${parsed.data.version} of Gatehouse, which made it.`,
    );
  return { about: parsed.data };
}

function partIn(line: string): Part {
  const parsed = parseJson(line);
  if (isRow(parsed)) return { row: parsed, line };
  const head = table.safeParse(parsed);
  if (head.success) {
    const { table: name, columns, key } = head.data;
    return { table: { name, columns, key } };
  }
  const last = end.safeParse(parsed);
  if (last.success) return { sums: last.data.tables };
  throw damaged();
}

/** JSON but objects and lists. No schema: there are as many rows as in the database. */
const isRow = (parsed: unknown): parsed is Row =>
  Array.isArray(parsed) && parsed.every((each) => each === null || typeof each !== 'object');

const damaged = () => new BackupError('This backup is damaged. Use another one.');

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged();
  }
}
