import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBackup } from '#lib/backup/check.ts';
import { backUpWhenDue, backupState, nameByHand } from '#lib/backup/schedule.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
const names = ['BACKUP_DIR', 'BACKUP_EVERY_HOURS', 'BACKUP_KEEP'] as const;
const hour = 3600_000;
const start = new Date('2026-03-01T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * hour);

beforeAll(async () => {
  const inside = join(folder, 'inside');
  Object.assign(process.env, { BACKUP_DIR: inside, BACKUP_EVERY_HOURS: '6', BACKUP_KEEP: '3' });
  workOn(await createDatabase('sqlite'));
});
afterAll(async () => {
  await closeStore();
  for (const name of names) delete process.env[name];
  rmSync(folder, { recursive: true });
});

test('a scheduled backup is made when due, by one process only, and the oldest is deleted', async () => {
  expect(await backupState(start)).toMatchObject({ is: 'on', last: null, late: true });
  for (let at = 0; at < 30; at += 3) {
    const made = await Promise.all([1, 2, 3].map(() => backUpWhenDue(after(at))));
    expect(made.filter((file) => file !== null)).toHaveLength(at % 6 === 0 ? 1 : 0);
  }
  const inside = join(folder, 'inside');
  writeFileSync(join(inside, 'something else.backup'), '');
  const kept = readdirSync(inside).filter((name) => name.startsWith('gatehouse-'));
  expect(kept.toSorted()).toEqual([
    'gatehouse-2026-03-01T12-00-00-000Z.backup',
    'gatehouse-2026-03-01T18-00-00-000Z.backup',
    'gatehouse-2026-03-02T00-00-00-000Z.backup',
  ]);
  for (const name of kept) await checkBackup(join(inside, name), null);
  expect(await backupState(after(26))).toMatchObject({ last: after(24), late: false });
  expect(await backupState(after(37))).toMatchObject({ last: after(24), late: true });
});

test('a scheduled backup deletes what a killed one left, but nothing that is still being written', async () => {
  const draft = (minutesOld: number, name: string) => {
    const file = join(folder, 'inside', `${name}.${randomUUID()}.part`);
    writeFileSync(file, 'half');
    const at = new Date(after(48).getTime() - minutesOld * 60_000);
    utimesSync(file, at, at);
    return file;
  };
  const name = 'gatehouse-2026-03-02T06-00-00-000Z.backup';
  const [left, written] = [draft(90, name), draft(5, name)];
  const foreign = join(folder, 'inside', 'film.part');
  writeFileSync(foreign, '');
  utimesSync(foreign, start, start);
  expect(await backUpWhenDue(after(48))).not.toBeNull();
  const there = readdirSync(join(folder, 'inside')).map((each) => join(folder, 'inside', each));
  expect(there).not.toContain(left);
  expect(there).toEqual(expect.arrayContaining([written, foreign]));
});

test('backups with a time in the future neither delay the schedule nor count among BACKUP_KEEP', async () => {
  const inside = join(folder, 'inside');
  const ahead = [
    'gatehouse-2027-01-01T00-00-00-000Z.backup',
    'gatehouse-2027-02-01T00-00-00-000Z.backup',
  ];
  for (const name of ahead) writeFileSync(join(inside, name), '');
  const due = after(60);
  expect(await backupState(due)).toMatchObject({ last: after(48), late: false, ahead });
  const made = await backUpWhenDue(due);
  expect(made).toContain('gatehouse-2026-03-03T12-00-00-000Z.backup');
  const kept = readdirSync(inside).filter((name) => /^gatehouse.*backup$/.test(name));
  expect(kept.toSorted().slice(2)).toEqual(['gatehouse-2026-03-03T12-00-00-000Z.backup', ...ahead]);
  const behindALittle = new Date(due.getTime() - 60_000);
  expect(await backupState(behindALittle)).toMatchObject({ last: due, ahead });
  expect(await backUpWhenDue(behindALittle)).toBeNull();
});

test('a backup made by hand does not count as a scheduled one, and is not deleted', async () => {
  const before = await backupState(after(61));
  const byHand = join(folder, 'inside', nameByHand(after(61)));
  writeFileSync(byHand, '');
  expect(await backupState(after(61))).toEqual(before);
  await backUpWhenDue(after(66));
  expect(existsSync(byHand)).toBe(true);
});

test('if no backup can be written, the state says how old the last one is, and the next try is in ten minutes', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  process.env.BACKUP_DIR = join(file, 'below');
  workOn(process.env.DATABASE_URL ?? '');
  await expect(backUpWhenDue(after(100))).rejects.toThrow('ENOTDIR');
  expect(await backupState(after(100))).toMatchObject({ last: null, late: true });
  expect(await backUpWhenDue(after(100.1))).toBeNull();
  await expect(backUpWhenDue(after(100.2))).rejects.toThrow('ENOTDIR');
});
