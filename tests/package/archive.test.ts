import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packFolder, writeSums } from '#lib/package/archive.ts';
import { isServed } from '#lib/package/folder.ts';
import { isOurs } from '#lib/package/traced.ts';

const place = mkdtempSync(resolve(tmpdir(), 'gatehouse-archive-'));
afterAll(() => rmSync(place, { recursive: true }));

/** A folder with some files, written in this order, in a new place. */
function folderOf(name: string, files: readonly string[], mode: number): string {
  const folder = resolve(place, name, 'gatehouse-1.2.3-linux-x64');
  mkdirSync(resolve(folder, 'program'), { recursive: true });
  for (const file of files) {
    writeFileSync(resolve(folder, file), file);
    chmodSync(resolve(folder, file), mode);
    utimesSync(resolve(folder, file), mode, mode);
  }
  chmodSync(resolve(folder, 'gatehouse'), mode | 0o111);
  return folder;
}

let archive: string;
beforeAll(async () => {
  archive = await packFolder(
    folderOf('one', ['gatehouse', 'program/b.js', 'program/a.js'], 0o644),
    1e9,
  );
});

test('the package archive has the same bytes for the same files, regardless of order and modes', async () => {
  const again = await packFolder(
    folderOf('two', ['program/a.js', 'program/b.js', 'gatehouse'], 0o600),
    1e9,
  );
  expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
  const later = await packFolder(
    folderOf('three', ['program/a.js', 'program/b.js', 'gatehouse'], 0o600),
    2e9,
  );
  expect(readFileSync(later).equals(readFileSync(archive))).toBe(false);
});

test('the package archive: files belong to root and are readable by others; only the program is executable', () => {
  const listed = execFileSync(
    'tar',
    ['--list', '--verbose', '--numeric-owner', '--file', archive],
    {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    },
  );
  const rows = listed
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  expect(rows.map(([mode, owner, , day, , name]) => [mode, owner, day, name?.slice(26)])).toEqual([
    ['drwxr-xr-x', '0/0', '2001-09-09', ''],
    ['-rwxr-xr-x', '0/0', '2001-09-09', 'gatehouse'],
    ['drwxr-xr-x', '0/0', '2001-09-09', 'program/'],
    ['-rw-r--r--', '0/0', '2001-09-09', 'program/a.js'],
    ['-rw-r--r--', '0/0', '2001-09-09', 'program/b.js'],
  ]);
});

test('the checksums of the package are valid for sha256sum, and signed if a key is given', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = resolve(place, 'key.pem');
  writeFileSync(pem, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const [sums = '', signature = ''] = await writeSums([archive], pem);
  expect(
    spawnSync('sha256sum', ['--check', '--strict', sums], { cwd: resolve(sums, '..') }).status,
  ).toBe(0);
  const told = readFileSync(sums);
  expect(
    verify(
      null,
      told,
      createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })),
      readFileSync(signature),
    ),
  ).toBe(true);
  // As an operator would check it.
  const shown = resolve(place, 'key.pub');
  writeFileSync(shown, publicKey.export({ format: 'pem', type: 'spki' }));
  const args = [
    'pkeyutl',
    '-verify',
    '-pubin',
    '-inkey',
    shown,
    '-rawin',
    '-in',
    sums,
    '-sigfile',
    signature,
  ];
  expect(spawnSync('openssl', args).status).toBe(0);
  writeFileSync(sums, `${told}x`);
  expect(spawnSync('openssl', args).status).toBe(1);
  expect(await writeSums([archive])).toHaveLength(1);
});

test.each([
  [
    'is of another kind',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    }),
    'it is a key for ec',
  ],
  ['is none', 'secret text', 'which is no private Ed25519 key'],
])(
  'signing the package checksums with a key that %s fails with a sentence that does not repeat it',
  async (_, text, says) => {
    const pem = resolve(place, 'wrong.pem');
    writeFileSync(pem, text);
    const said = await writeSums([archive], pem).catch((error: Error) => error.message);
    expect(said).toContain(says);
    expect(said).toContain('openssl genpkey');
    expect(said).not.toContain('secret text');
  },
);

test('packing a folder that does not exist fails with the message of tar', async () => {
  await expect(packFolder(resolve(place, 'nowhere'), 0)).rejects.toThrow(
    /could not be made: .*nowhere/s,
  );
});

test.each(['data/server-secret', '.env', 'tests/once.test.ts', '../x', '/etc/passwd', 'libx/a.js'])(
  'the file %s belongs to the checkout alone, and is not packed',
  (path) => {
    expect(isOurs(path)).toBe(false);
  },
);

test.each([
  '.next/cache/.tsbuildinfo',
  '.next/trace',
  '.next/build/chunks/postcss.js',
  '.next/types/routes.d.ts',
  '.next/server/app/page.js.map',
  '.next/server/app/page.js.nft.json',
  '.next/next-server.js.nft.json',
  '.next/docs/.stamp',
  '.next/what-nobody-knows-yet',
])('the file %s belongs to the build alone, and is not packed', (path) => {
  expect(isServed(path)).toBe(false);
});
