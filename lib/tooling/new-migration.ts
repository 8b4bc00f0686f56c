import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { diffMigrations } from './diff.ts';
import { migrationsRoot } from './migrations.ts';
import { startPostgres } from './postgres.ts';
import type { DatabaseKind } from './schema.ts';

const name = process.argv[2] ?? '';
if (!/^[a-z0-9_]+$/.test(name)) {
  console.error('Name the change in lower case: npm run migration -- add_client_logo');
  process.exit(1);
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const postgres = await startPostgres();
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-shadow-'));
try {
  write('sqlite', await diffMigrations(`file:${folder}/shadow.db`));
  write('postgresql', await diffMigrations(await postgres.createDatabase('shadow')));
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

function write(kind: DatabaseKind, sql: string | null): void {
  if (sql === null) {
    console.log(`${kind}: the migrations lead to the schema already`);
    return;
  }
  const target = resolve(migrationsRoot, kind, `${stamp}_${name}`);
  mkdirSync(target, { recursive: true });
  writeFileSync(resolve(target, 'migration.sql'), sql);
  writeFileSync(resolve(migrationsRoot, kind, 'migration_lock.toml'), `provider = "${kind}"\n`);
  console.log(`${kind}: wrote ${target}/migration.sql; read it before you commit it`);
}
