import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const databases = ['sqlite', 'postgresql'] as const;
export type DatabaseKind = (typeof databases)[number];

export const root = resolve(import.meta.dirname, '../..');

/** Packed, because its place is written out: see package/traced.ts. */
const written = new URL('../../prisma/schema.prisma', import.meta.url);

/** Only SQLite's is written by hand; PostgreSQL's is derived from it. */
export function schemaFor(kind: DatabaseKind): string {
  const text = readFileSync(written, 'utf8');
  if (kind === 'sqlite') return text;
  return text
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace('"./generated/sqlite"', '"./generated/postgresql"')
    .replace(/^( +\w+ +DateTime\??)(?=\s)/gm, '$1 @db.Timestamptz(3)');
}
