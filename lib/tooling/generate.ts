import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rowTypesOf, tablesOf } from './rows.ts';
import { databases, root, schemaFor } from './schema.ts';

const target = resolve(root, 'prisma/generated');
const cli = resolve(root, 'node_modules/prisma/build/index.js');

/**
 * Writes the row types and the list of tables to prisma/generated, and both Prisma clients if the
 * development packages are installed: only tests use them.
 */
function generate(): void {
  mkdirSync(target, { recursive: true });
  writeFileSync(resolve(target, 'rows.ts'), rowTypesOf(schemaFor('sqlite')));
  writeFileSync(resolve(target, 'tables.ts'), tablesOf(schemaFor('sqlite')));
  if (existsSync(cli)) generateClients();
}

function generateClients(): void {
  const work = mkdtempSync(resolve(target, 'new-'));
  try {
    for (const kind of databases) {
      const schema = resolve(work, `${kind}.prisma`);
      writeFileSync(schema, schemaFor(kind).replace('"./generated/', '"./'));
      prisma('generate', '--schema', schema);
    }
    for (const kind of databases) {
      rmSync(resolve(target, kind), { recursive: true, force: true });
      renameSync(resolve(work, kind), resolve(target, kind));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function prisma(...args: string[]): void {
  execFileSync(process.execPath, [cli, ...args], {
    cwd: root,
    stdio: 'pipe',
    // Naming any executable as the schema engine keeps Prisma from downloading one; generating
    // never runs it.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  });
}

if (import.meta.main) generate();
