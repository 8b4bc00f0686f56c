import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, renameSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { onDatabase } from '../support/on-each-database.ts';
import { askAll, expectAway, expectRecovery, type Ground, settle, statuses } from './ground.ts';

let set: Ground | undefined;
const ground = () => {
  if (!set) throw new Error('nothing was set up');
  return set;
};
const file = () => (process.env.DATABASE_URL ?? '').slice('file:'.length);
const noPrlimit = spawnSync('prlimit', ['--version']).status !== 0;

onDatabase('sqlite', () => {
  beforeAll(async () => {
    set = await settle(process.env.DATABASE_URL ?? '');
  });
  afterEach(() => expectRecovery(ground()));
  afterAll(() => set?.serverProcess.stop());

  // The files that the server writes may not grow, as on a full disk.
  test.skipIf(noPrlimit)(
    'a full disk under SQLite: reads are served, writes and /readyz are 503',
    async () => {
      const limit = (bytes: string) =>
        execFileSync('prlimit', [
          `--pid=${ground().serverProcess.process.pid}`,
          `--fsize=${bytes}:`,
        ]);
      limit('4096');
      try {
        const { me, refresh, page, account } = await askAll(ground());
        expect([me.status, refresh.status, page.status, account.status]).toEqual([
          200, 503, 200, 200,
        ]);
        expect(refresh.body.error).toBe('temporarily_unavailable');
        expect(Number(refresh.headers.get('retry-after'))).toBeGreaterThan(0);
        await expect
          .poll(async () => (await statuses(ground())).ready, { timeout: 20_000 })
          .toBe(503);
      } finally {
        limit('unlimited');
      }
    },
  );

  test('a SQLite file that is moved away is noticed before the next acknowledgement', async () => {
    renameSync(file(), `${file()}.away`);
    await expectAway(ground()).finally(() => renameSync(`${file()}.away`, file()));
  });

  test('a SQLite file put in the place of the open one is not mistaken for it', async () => {
    copyFileSync(file(), `${file()}.other`);
    renameSync(file(), `${file()}.away`);
    renameSync(`${file()}.other`, file());
    await expectAway(ground()).finally(() => renameSync(`${file()}.away`, file()));
  });

  test('a SQLite lock held by another program: reads are served, a write is 503 in the end', async () => {
    const other = new BetterSqlite3(file());
    other.exec('BEGIN IMMEDIATE');
    const { me, refresh, page } = await askAll(ground());
    other.close();
    expect([me.status, refresh.status, page.status]).toEqual([200, 503, 200]);
    expect(refresh.body.error).toBe('temporarily_unavailable');
  });
});
