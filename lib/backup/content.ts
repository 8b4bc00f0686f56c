import { createHash } from 'node:crypto';
import type { Side } from './side.ts';
import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/** How many rows a table has, and the SHA-256 of their lines in the order of their keys. */
export type Sum = { rows: number; sha256: string };

export const lineOf = (row: Row) => JSON.stringify(row);

/** Counts and hashes the rows of a table. */
export class Summing {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(line: string): void {
    this.#rows += 1;
    this.#hash.update(line).update('\n');
  }

  end(): Sum {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

/** Counts and hashes the rows of a table in a database. */
export async function sumOf(side: Side, table: Table): Promise<Sum> {
  const summing = new Summing();
  for await (const rows of side.batches(table)) for (const row of rows) summing.add(lineOf(row));
  return summing.end();
}
