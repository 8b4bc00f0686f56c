import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { expect, test } from 'vitest';
import { showClient } from '#lib/management/client/clients.ts';
import { listUsers } from '#lib/management/user/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { faultsOf, newApp, unique } from './people.ts';

/**
 * Locks, as another process would, what every change of a client needs. Returns a function that
 * releases it.
 */
async function holdDatabase(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('file:')) {
    const other = new BetterSqlite3(url.slice('file:'.length));
    other.exec('BEGIN IMMEDIATE');
    return async () => void other.close();
  }
  const other = new pg.Client(url);
  await other.connect();
  await other.query('BEGIN');
  await other.query('UPDATE revision SET value = value');
  return () => other.end();
}

onEachDatabase(() => {
  test('a change of a client waits for another process’s lock, and reads go on meanwhile', async () => {
    const letGo = await holdDatabase(process.env.DATABASE_URL ?? '');
    const id = unique('patient');
    let done = false;
    const change = newApp({ id }).then(() => {
      done = true;
    });
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await listUsers()).rows).toEqual([]);
      expect(await faultsOf(showClient(id))).toHaveProperty('client');
      await new Promise((resume) => setImmediate(resume));
    }
    expect(done).toBe(false);
    await letGo();
    await change;
    expect((await showClient(id)).id).toBe(id);
  });
});
