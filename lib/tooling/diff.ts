import type { DiffTarget } from '@prisma/schema-engine-wasm';
import { connect } from './connection.ts';
import { allTables, withEngine } from './engine.ts';
import { readMigrations } from './migrations.ts';
import { schemaFor } from './schema.ts';

/** Null if there is no difference. Needs the URL of an empty database. */
export async function diffMigrations(emptyDatabaseUrl: string): Promise<string | null> {
  const { kind, adapter } = await connect(emptyDatabaseUrl);
  const from: DiffTarget = { tag: 'migrations', ...readMigrations(kind) };
  const to: DiffTarget = {
    tag: 'schemaDatamodel',
    files: [{ path: 'schema.prisma', content: schemaFor(kind) }],
  };
  try {
    const result = await withEngine(kind, adapter, (engine) =>
      engine.diff({ from, to, script: true, exitCode: true, filters: allTables }),
    );
    return result.exitCode === 2 ? result.stdout : null;
  } finally {
    await adapter.dispose();
  }
}
