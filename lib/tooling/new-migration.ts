import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { gatehouseVersion } from '../config.ts';
import { diffMigrations } from './diff.ts';
import { disturbanceIn } from './disturbance.ts';
import { nameFor } from './migration-name.ts';
import { migrationsRoot } from './migrations.ts';
import { startPostgres } from './postgres.ts';
import { type DatabaseKind, databases } from './schema.ts';

const what = process.argv[2] ?? '';
if (!/^[a-z0-9_]+$/.test(what)) {
  console.error('Name the change in lower case: npm run migration -- add_client_logo');
  process.exit(1);
}
const postgres = await startPostgres();
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-shadow-'));
try {
  const changes = {
    sqlite: await diffMigrations(`file:${folder}/shadow.db`),
    postgresql: await diffMigrations(await postgres.createDatabase('shadow')),
  };
  const disturbs = databases.map((kind) => disturbanceIn(changes[kind] ?? '')).find(Boolean);
  const does = disturbs ? 'contract' : 'expand';
  const name = nameFor(what, does, gatehouseVersion(), new Date());
  for (const kind of databases) write(kind, name, changes[kind]);
  if (disturbs)
    console.log(
      `It is a contract: it ${disturbs}. Servers have to be stopped for it; docs/contributing/how-to.md says how to do without.`,
    );
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

function write(kind: DatabaseKind, name: string, sql: string | null): void {
  if (sql === null) {
    console.log(`${kind}: the migrations lead to the schema already`);
    return;
  }
  const target = resolve(migrationsRoot, kind, name);
  mkdirSync(target, { recursive: true });
  writeFileSync(resolve(target, 'migration.sql'), sql);
  writeFileSync(resolve(migrationsRoot, kind, 'migration_lock.toml'), `provider = "${kind}"\n`);
  console.log(`${kind}: wrote ${target}/migration.sql; read it before you commit it`);
}
