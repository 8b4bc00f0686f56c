import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { createDatabase as createPostgresDatabase } from '#lib/tooling/postgres.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';

/** The name of the migrated database that fresh ones are copied from. */
export const template = 'template_gatehouse';

/**
 * Whether a new database knows nobody and nothing. Not so where every one was restored from a backup
 * (TEST_RESTORED=on): what can be shown on an empty server alone is left out there.
 */
export const startsEmpty = process.env.TEST_RESTORED !== 'on';

/**
 * Makes a migrated database without rows and gives its address. It goes away when the run of tests ends.
 * @param isolation of each transaction on PostgreSQL, instead of READ COMMITTED
 */
export async function createDatabase(
  kind: DatabaseKind,
  isolation = process.env.TEST_ISOLATION,
): Promise<string> {
  if (kind === 'postgresql') {
    const url = await createPostgresDatabase(postgresUrl, newName(), template);
    const options = `-c default_transaction_isolation=${isolation}`;
    return isolation ? `${url}?options=${encodeURIComponent(options)}` : url;
  }
  const file = sqliteFile(newName());
  copyFileSync(sqliteFile(template), file);
  return `file:${file}`;
}

/** Makes a database without any table; for tests of the migrations. */
export async function createEmptyDatabase(kind: DatabaseKind): Promise<string> {
  return kind === 'postgresql'
    ? createPostgresDatabase(postgresUrl, newName())
    : `file:${sqliteFile(newName())}`;
}

/** A file for the log of a server; it goes away as the databases do. */
export const newLogFile = (name: string) =>
  `${given('TEST_SQLITE_FOLDER')}/${name}-${randomUUID()}.log`;

/** A folder that goes away as the databases do. */
export const newFolder = (name: string) => mkdtempSync(`${given('TEST_SQLITE_FOLDER')}/${name}-`);

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;
const sqliteFile = (name: string) => `${given('TEST_SQLITE_FOLDER')}/${name}.db`;
const postgresUrl = (name: string) => given('TEST_POSTGRES') + name;

function given(variable: 'TEST_SQLITE_FOLDER' | 'TEST_POSTGRES'): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is missing: this test needs tests/support/global-setup.ts.`);
  return value;
}
