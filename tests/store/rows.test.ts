import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { rowTypesOf } from '#lib/tooling/rows.ts';
import { root } from '#lib/tooling/schema.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const source = rowTypesOf(readFileSync(`${root}/prisma/schema.prisma`, 'utf8'));
/** The fields of each table with their types. */
const tables = [...source.matchAll(/^ {2}(\w+): \{\n([^}]+)\};/gm)].map(
  ([, table = '', body = '']): [string, Map<string, string>] => [
    table,
    new Map(
      [...body.matchAll(/(\w+): (.+);/g)].map(([, column = '', type = '']) => [column, type]),
    ),
  ],
);

onEachDatabase(() => {
  test.each(tables)(
    'the table %s has the columns that its row type lists',
    async (table, fields) => {
      const columnOf = (field: string) => field.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`);
      const columns = [...fields.keys()].map(columnOf);
      expect(await read(`SELECT ${columns.join(', ')} FROM ${table} LIMIT 0`, [])).toEqual([]);
      const one = columns.map((column) => `(SELECT ${column} FROM ${table} LIMIT 1) AS ${column}`);
      const [row] = await read(`SELECT ${one.join(', ')}`, []);
      expect(Object.keys(row ?? {})).toEqual([...fields.keys()]);
    },
  );

  test('columns named in a statement are returned in camel case', async () => {
    const [row] = await read('SELECT 1 AS found_user, 2 AS n, 3 AS "isDone"', []);
    expect(row).toEqual({ foundUser: 1, n: 2, isDone: 3 });
  });

  test('the values of a row have the types of its row type, on each database', async () => {
    await newUser({ isAdmin: true });
    await newClient({ requirePkce: true, accessTokenTtl: 60 });
    const filled = ['users', 'clients', 'scopes', 'revision', 'client_secrets'];
    const types = tables.filter(([table]) => filled.includes(table));
    expect(types).toHaveLength(filled.length);
    for (const [table, fields] of types) {
      const [row] = await read(`SELECT * FROM ${table}`, []);
      for (const [column, type] of fields) {
        const value = row?.[column];
        const found = value === null ? 'null' : value instanceof Date ? 'Date' : typeof value;
        expect(type.split(' | '), `${table}.${column}`).toContain(found);
      }
    }
  });

  test('counts and sums are returned as numbers', async () => {
    const [row] = await read('SELECT count(*) AS n, SUM(value) AS sum FROM revision', []);
    expect([typeof row?.n, typeof row?.sum]).toEqual(['number', 'number']);
  });
});
