import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { rowTypesOf } from '#lib/tooling/rows.ts';
import { root } from '#lib/tooling/schema.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const source = rowTypesOf(readFileSync(`${root}/prisma/schema.prisma`, 'utf8'));
/** The columns of each table, and what the types say of them. */
const tables = [...source.matchAll(/^ {2}(\w+): \{\n([^}]+)\};/gm)].map(
  ([, table = '', body = '']): [string, Map<string, string>] => [
    table,
    new Map(
      [...body.matchAll(/(\w+): (.+);/g)].map(([, column = '', type = '']) => [column, type]),
    ),
  ],
);

onEachDatabase(() => {
  test.each(tables)('%s has the columns that its type lists', async (table, columns) => {
    const names = [...columns.keys()];
    expect(await read(`SELECT ${names.join(', ')} FROM ${table} LIMIT 0`, [])).toEqual([]);
    const [row] = await read(`SELECT * FROM ${table} LIMIT 1`, []);
    if (row) expect(Object.keys(row).sort()).toEqual(names.toSorted());
  });

  test('a row holds what its type says, whichever database it came from', async () => {
    await newUser({ isAdmin: true });
    await newClient({ requirePkce: true, accessTokenTtl: 60 });
    for (const table of ['users', 'clients', 'scopes', 'revision', 'client_secrets']) {
      const [row] = await read(`SELECT * FROM ${table}`, []);
      for (const [column, type] of tables.find(([name]) => name === table)?.[1] ?? []) {
        const value = row?.[column];
        const found = value === null ? 'null' : value instanceof Date ? 'Date' : typeof value;
        expect(type.split(' | '), `${table}.${column}`).toContain(found);
      }
    }
  });

  test('a count is a number, and so is a sum', async () => {
    const [row] = await read('SELECT count(*) AS n, SUM(value) AS sum FROM revision', []);
    expect([typeof row?.n, typeof row?.sum]).toEqual(['number', 'number']);
  });
});
