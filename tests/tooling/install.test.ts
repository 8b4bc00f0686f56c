import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInstalled } from '#lib/tooling/install.mjs';
import { root } from '#lib/tooling/stamp.mjs';

const next = { version: '16.0.0', integrity: 'sha512-a' };
const vitest = { version: '5.0.0', integrity: 'sha512-b', dev: true };
const otherSystem = { version: '1.0.0', integrity: 'sha512-c', optional: true };
const lock = { '': { version: '1.0.0' }, ...inFolder({ next, vitest, otherSystem }) };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-install-'));
  mkdirSync(`${folder}/node_modules`);
  writeFileSync(`${folder}/package-lock.json`, JSON.stringify({ packages: lock }));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  { title: 'nothing', installed: {}, toRun: false, toTest: false },
  { title: 'what running needs', installed: { next }, toRun: true, toTest: false },
  { title: 'everything', installed: { next, vitest }, toRun: true, toTest: true },
  {
    title: 'another version',
    installed: { next: { ...next, version: '15.0.0' }, vitest },
    toRun: false,
    toTest: false,
  },
  {
    title: 'other contents',
    installed: { next: { ...next, integrity: 'sha512-d' }, vitest },
    toRun: false,
    toTest: false,
  },
])('isInstalled with these packages installed: $title', ({ installed, toRun, toTest }) => {
  writeFileSync(
    `${folder}/node_modules/.package-lock.json`,
    JSON.stringify({ packages: inFolder(installed) }),
  );
  expect(isInstalled(false, folder)).toBe(toRun);
  expect(isInstalled(true, folder)).toBe(toTest);
});

function inFolder(packages: object): object {
  return Object.fromEntries(
    Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]),
  );
}

test('a command whose node_modules is a link starts one process, not an endless chain', () => {
  rmSync(`${folder}/node_modules`, { recursive: true });
  symlinkSync(resolve(root, 'node_modules'), `${folder}/node_modules`);
  for (const part of ['lib', 'prisma/schema.prisma', 'package.json', 'package-lock.json'])
    cpSync(resolve(root, part), `${folder}/${part}`, { recursive: true });
  const { stderr, signal } = spawnSync(
    process.execPath,
    [`${folder}/lib/tooling/run.mjs`, 'nothing'],
    { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL', env: process.env },
  );
  expect(signal).toBeNull();
  expect(stderr).toContain('There is no "nothing"');
});
