import { tables } from '#prisma/generated/tables.ts';

/** How a column is stored, in either database. */
export type Kind = 'text' | 'number' | 'flag' | 'moment' | 'bytes';

/** The kind of each column by its name, and the columns of its primary key. */
export type Table = { name: string; columns: Record<string, Kind>; key: readonly string[] };

/** Tables about running processes rather than data. A restore makes its own revision. */
const leftOut = ['leases', 'operator_settings', 'revision', 'set_up_links'];

/** Every table of a backup, each after the tables that its rows refer to. */
export function backedUpTables(): Table[] {
  const left = Object.entries(tables).filter(([name]) => !leftOut.includes(name));
  const placed: Table[] = [];
  const isPlaced = (name: string) => placed.some((table) => table.name === name);
  while (placed.length < left.length) {
    const next = left.filter(([name, { after }]) => !isPlaced(name) && [...after].every(isPlaced));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    placed.push(...next.map(([name, { columns, key }]) => ({ name, columns, key })));
  }
  return placed;
}
