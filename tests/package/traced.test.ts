import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOurs, tracedFiles } from '#lib/package/traced.ts';
import { root } from '#lib/tooling/stamp.mjs';

/** What makes and changes tables. */
const readAtRun = [
  'prisma/schema.prisma',
  'node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm',
];

test('data that a server left in a checkout is not packed, though our code names it', {
  timeout: 600_000,
}, async () => {
  for (const name of ['gatehouse.db', 'gatehouse.pid', 'server-secret']) {
    const file = resolve(root, 'data', name);
    if (existsSync(file)) continue;
    mkdirSync(resolve(root, 'data'), { recursive: true });
    writeFileSync(file, '');
    onTestFinished(() => rmSync(file));
  }
  const files = await tracedFiles(root);
  expect(files).toEqual(expect.arrayContaining(['package.json', ...readAtRun]));
  expect(files.filter((file) => !isOurs(file) || file.startsWith('data/'))).toEqual([]);
});
