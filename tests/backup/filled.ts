import { onSide } from '#lib/backup/open-side.ts';
import { backedUpTables, type Kind, type Table } from '#lib/backup/tables.ts';
import type { Value } from '#lib/backup/values.ts';

const year2026 = Date.UTC(2026, 0, 1);

/**
 * Fills every table of a new database with rows whose text is difficult everywhere. Ids are the
 * same in all tables, so that rows refer to existing rows.
 */
export async function fill(databaseUrl: string, rows: number): Promise<void> {
  await onSide(databaseUrl, 'replace', async (side) => {
    for (const table of backedUpTables()) {
      await side.run(`DELETE FROM "${table.name}"`);
      const made = Array.from({ length: rows }, (_, row) => rowOf(table, row));
      await side.insert(table, made);
    }
    await side.commit();
  });
}

const rowOf = (table: Table, row: number): Value[] =>
  Object.entries(table.columns).map(([column, kind]) => valueIn(table, column, kind, row));

/** Whether a column refers to another row or has to be unique. */
const isPlain = (table: Table, column: string) =>
  table.key.includes(column) || /(_id|_key|hash|^ring|^field|^enrolment)$/.test(column);

function valueIn(table: Table, column: string, kind: Kind, row: number): Value {
  if (kind === 'number') return row + 1;
  if (kind === 'flag') return row % 2 === 0;
  if (kind === 'moment') return year2026 + row * 86_400_000 + 123;
  if (kind === 'bytes') return Buffer.from([0, 255, row, 10, 13]).toString('base64');
  if (isPlain(table, column)) return `k${String(row).padStart(6, '0')}`;
  return `"${column}" of ${row}: ’ü漢\n\t\\ \u{1f600} {}`;
}
