import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { createDatabase as createPostgresDatabase } from '#lib/tooling/postgres.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';

/** The name of the migrated database that fresh ones are copied from. */
export const template = 'template_gatehouse';

/**
 * Whether a new database is empty. It is not when every database was restored from a backup
 * (TEST_RESTORED=on); tests that need an empty server are skipped then.
 */
export const startsEmpty = process.env.TEST_RESTORED !== 'on';

/**
 * Creates a migrated database without rows and returns its address. It is removed when the test run
 * ends.
 * @param isolation the default isolation level on PostgreSQL, instead of READ COMMITTED
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

/** Creates a database without any tables, for tests of the migrations. */
export async function createEmptyDatabase(kind: DatabaseKind): Promise<string> {
  return kind === 'postgresql'
    ? createPostgresDatabase(postgresUrl, newName())
    : `file:${sqliteFile(newName())}`;
}

/** A file for a server's log, removed when the test run ends. */
export const newLogFile = (name: string) =>
  `${given('TEST_SQLITE_FOLDER')}/${name}-${randomUUID()}.log`;

/** A folder that is removed when the test run ends. */
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
