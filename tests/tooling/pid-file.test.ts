import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
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

test('of servers that start at the same moment one gets the pid file, and the others name it', async () => {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pids-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = pathToFileURL(resolve(import.meta.dirname, '../../lib/tooling/pid-file.ts')).href;
  const script = `const { keepPidFile } = await import('${module}');
    setInterval(() => {}, 1e6);
    console.log('ready');
    process.stdin.once('data', () => console.log('other', keepPidFile(process.argv[2])));`;
  const servers = Array.from({ length: 6 }, () => {
    const args = ['--input-type=module', '-e', script, 'lib/server.ts', folder];
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  });
  onTestFinished(() => servers.forEach((each) => void each.kill('SIGKILL')));
  const says = servers.map((each) => createInterface(each.stdout)[Symbol.asyncIterator]());
  const next = () => Promise.all(says.map(async (each) => String((await each.next()).value)));
  await next();
  // The file of a server that was killed.
  writeFileSync(resolve(folder, 'gatehouse.pid'), '999999999\n');
  for (const each of servers) each.stdin.write('go\n');
  const told = await next();
  const named = readFileSync(resolve(folder, 'gatehouse.pid'), 'utf8').trim();
  expect(servers.map(({ pid }) => String(pid))).toContain(named);
  expect(told.toSorted()).toEqual(
    servers.map(({ pid }) => (String(pid) === named ? 'other null' : `other ${named}`)).toSorted(),
  );
  expect(readdirSync(folder)).toEqual(['gatehouse.pid']);
});
