import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import type { DatabaseKind } from './schema.ts';

/** Packed, because its place is written out: see package/traced.ts. */
export const migrationsRoot = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

export function migrationNames(kind: DatabaseKind, folder = migrationsRoot): string[] {
  return readdirSync(resolve(folder, kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function readMigration(kind: DatabaseKind, name: string, folder = migrationsRoot): string {
  return readFileSync(resolve(folder, kind, name, 'migration.sql'), 'utf8');
}

/** The migrations in the form Prisma's engine expects. */
export function readMigrations(kind: DatabaseKind, folder = migrationsRoot): MigrationList {
  return {
    baseDir: resolve(folder, kind),
    lockfile: { path: 'migration_lock.toml', content: `provider = "${kind}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: migrationNames(kind, folder).map((path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readMigration(kind, path, folder) },
      },
    })),
  };
}
