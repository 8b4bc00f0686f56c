import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { besideServer, keepPidFile } from '#lib/tooling/pid-file.ts';

test('the pid file of a running server is not taken by another; that of one that ended is', async () => {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pid-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = resolve(folder, 'gatehouse.pid');
  // Its command line names the program of a server.
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'lib/server.ts']);
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other, 'spawn');
  writeFileSync(file, `${other.pid}\n`);
  expect(keepPidFile(folder)).toBe(other.pid);
  expect(besideServer(other.pid ?? 0)).toContain(`Another server (process ${other.pid})`);
  expect(readFileSync(file, 'utf8')).toBe(`${other.pid}\n`);
  other.kill('SIGKILL');
  await once(other, 'close');
  expect(keepPidFile(folder)).toBeNull();
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`);
});
