import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assetsIn } from '#lib/server/assets.ts';
import next from '../../next.config.js';
import { config } from '../../proxy.ts';

const isAsset = assetsIn(resolve('public'));

test.each([
  '/gatehouse.css',
  '/enhance.js',
  '/crop.js',
  '/dashboard.js',
  '/guard.js',
  '/live.js',
  '/palette.js',
  '/work.js',
  '/favicon.svg',
  '/favicon.ico',
  '/fonts/figtree-latin.woff2',
  '/_next/static/chunks/a.js',
])('the path %s is an asset', (path) => {
  expect(isAsset(path)).toBe(true);
});

test.each([
  '/',
  '/admin/clients/my.app',
  '/admin/clients/com.example.js',
  '/account/developer/my.app',
  '/gatehouse.css/',
  '/fonts',
  '/fonts/',
  '/fonts/../login',
  '/x/gatehouse.css',
  '/_nextdoor',
])('the path %s is not an asset but a page', (path) => {
  expect(isAsset(path)).toBe(false);
});

test('a file in a folder is an asset by its whole path only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  writeFileSync(join(folder, 'a', 'b', 'c.txt'), '');
  const isIn = assetsIn(folder);
  expect(['/a/b/c.txt', '/c.txt', '/a/b', '/a'].map(isIn)).toEqual([true, false, false, false]);
});

test('the proxy of Next.js leaves out the same files as the assets', () => {
  const matcher = new RegExp(`^${config.matcher}$`);
  const files = readdirSync('public', { recursive: true }).map((file) => `/${file}`);
  const served = files.filter((file) => isAsset(file) && file !== '/fonts/OFL.txt');
  expect(served.length).toBeGreaterThan(5);
  for (const file of served) expect(matcher.test(file), file).toBe(false);
  expect(matcher.test('/admin/clients/my.app')).toBe(true);
});

test('under Next.js alone each file of public/ has the response headers of a document', async () => {
  const sources = ((await next.headers?.()) ?? []).map(({ source }) => source);
  const names = readdirSync('public').filter((name) => name.includes('.'));
  const listed = sources.find((source) => source.startsWith('/:file('))?.slice(7, -1);
  expect(listed?.replaceAll('\\', '').split('|').toSorted()).toEqual(names.toSorted());
});
