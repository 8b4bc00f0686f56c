import { describe, expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { readCursor } from '#lib/store/engine/page.ts';
import { inList, valueFor, withNumbers, withQuestionMarks } from '#lib/store/engine/parameters.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

describe('a named parameter of an SQL statement', () => {
  const sql = "SELECT :one, ':two' || :two, x::text FROM t WHERE a = :one AND b = 'it''s :three'";

  test('becomes a placeholder at each place for SQLite, and one number for PostgreSQL', () => {
    expect(withQuestionMarks(sql)).toEqual({
      text: "SELECT +?, ':two' || +?, x::text FROM t WHERE a = +? AND b = 'it''s :three'",
      holes: ['one', 'two', 'one'],
    });
    expect(withNumbers(sql)).toEqual({
      text: "SELECT $1, ':two' || $2, x::text FROM t WHERE a = $1 AND b = 'it''s :three'",
      holes: ['one', 'two'],
    });
  });

  test('must have a value, which may be null, and may be given among others', () => {
    expect([valueFor('b', { a: 1, b: null }), valueFor('a', { a: 1, b: null })]).toEqual([null, 1]);
    expect(() => valueFor('b', { a: 1 })).toThrow('no value for b');
    expect(() => valueFor('1', ['first'])).toThrow('no value for 1');
  });
});

test('numbered parameters of an SQL statement take their values from a list', () => {
  const sql = 'SELECT $2, $1 WHERE $2 = 1';
  expect(withQuestionMarks(sql)).toEqual({
    text: 'SELECT +?, +? WHERE +? = 1',
    holes: ['1', '0', '1'],
  });
  expect(withNumbers(sql)).toEqual({ text: sql, holes: ['0', '1'] });
});

onEachDatabase(() => {
  test('an SQL statement takes its named parameters in any order, also one of them twice', async () => {
    const at = new Date(1_700_000_000_000);
    const sql = `INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :at) RETURNING hash, expires_at`;
    expect(await write(sql, { at, hash: "':at'" })).toEqual([{ hash: "':at'", expiresAt: at }]);
    const again =
      'SELECT hash FROM spent_values WHERE hash = :hash AND expires_at = :at AND :hash <> :other';
    expect(await read(again, { other: 'x', hash: "':at'", at })).toEqual([{ hash: "':at'" }]);
  });

  test('a list of values becomes as many parameters of an SQL statement', async () => {
    const at = new Date(1_700_000_000_000);
    const stored = 'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :at)';
    for (const hash of ['a', "b') --", 'c']) await write(stored, { hash, at });
    const { marks, params } = inList('hash', ["b') --", 'c', 'd']);
    expect(marks).toBe(':hash0, :hash1, :hash2');
    const sql = `SELECT hash FROM spent_values WHERE expires_at = :at AND hash IN (${marks}) ORDER BY hash`;
    expect(await read(sql, { at, ...params })).toEqual([{ hash: "b') --" }, { hash: 'c' }]);
  });

  test('a paging cursor with a NUL character can be used in a query and finds nothing', async () => {
    const cursor = Buffer.from('["a\\u0000"]').toString('base64url');
    const { values } = readCursor(cursor, { kinds: ['text'] });
    const sql = 'SELECT hash FROM spent_values WHERE hash = :place';
    expect(await read(sql, { place: values[0] ?? null })).toEqual([]);
  });

  test('a missing parameter of an SQL statement is an error, and nothing is written', async () => {
    const sql = 'DELETE FROM spent_values WHERE hash = :hash RETURNING hash';
    await expect(write(sql, { hush: 'x' })).rejects.toThrow('no value for hash');
  });
});
