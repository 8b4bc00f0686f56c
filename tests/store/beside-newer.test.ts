import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { findClientRecord } from '#lib/store/client-list.ts';
import { findClient } from '#lib/store/clients.ts';
import { connect } from '#lib/tooling/connection.ts';
import { root } from '#lib/tooling/schema.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient } from '../support/seed.ts';

/** The sources that contain SQL, without comments. */
const sources = globSync('lib/{store,backup,identity,management,doctor}/**/*.ts', {
  cwd: root,
}).map((file) => ({
  file,
  text: readFileSync(resolve(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}));
/** These select the columns of rows that the same statement has named before. */
const ownRows = [
  'lib/store/overview.ts: r.*',
  'lib/store/overview.ts: j.*',
  'lib/store/engine/held.ts: found.*',
];

test('SQL statements name the columns that they read and write, since a newer version may have added some', () => {
  const found = sources.flatMap(({ file, text }) =>
    [
      ...text.matchAll(/\b(?:SELECT|RETURNING)\s+(?:DISTINCT\s+)?\*|\b[a-z]\w*\.\*(?=[,\s])/g),
      ...text.matchAll(/\bINSERT\s+INTO\s+(?:"[^"]+"|\$\{[^}]+\}|\w+)\s+(?!\()\S+/g),
    ].map(([said]) => `${file}: ${said}`),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(found.filter((one) => !ownRows.includes(one))).toEqual([]);
});

onEachDatabase(() => {
  /** Does what a newer version does while this version has its statements prepared. */
  async function add(): Promise<void> {
    const { adapter } = await connect(config().databaseUrl);
    await adapter.executeScript('ALTER TABLE clients ADD COLUMN added TEXT');
    await adapter.executeScript("UPDATE clients SET added = 'https://evil.example'");
    await adapter.executeScript('UPDATE revision SET value = value + 1');
    await adapter.dispose();
  }

  test('reads prepared before a newer version added a column give the same result afterwards', async () => {
    const { id } = await newClient({ redirectUris: ['https://app.example/callback'] });
    const client = await findClient(id);
    const record = await findClientRecord(id);
    expect(client?.secretHashes).toHaveLength(1);
    await add();
    expect(await findClient(id)).toEqual(client);
    expect(await findClientRecord(id)).toEqual(record);
  });
});
