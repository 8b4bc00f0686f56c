import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { type DatabaseKind, root } from './schema.ts';

export function migrationsFolder(kind: DatabaseKind): string {
  return resolve(root, 'prisma/migrations', kind);
}

export function migrationNames(kind: DatabaseKind): string[] {
  const folder = migrationsFolder(kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The migration folder as Prisma's engine wants it. */
export function readMigrations(kind: DatabaseKind): MigrationList {
  const baseDir = migrationsFolder(kind);
  const file = (path: string) => readFileSync(resolve(baseDir, path), 'utf8');
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${kind}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: migrationNames(kind).map((path) => ({
      path,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: file(`${path}/migration.sql`) } },
    })),
  };
}
