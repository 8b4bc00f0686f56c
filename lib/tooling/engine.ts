import { readFileSync } from 'node:fs';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import * as binding from '@prisma/schema-engine-wasm/schema_engine_bg';
import { type DatabaseKind, schemaFor } from './schema.ts';

/** The engine manages every table. */
export const allTables = { externalTables: [], externalEnums: [] };

/**
 * Runs `work` with Prisma's migration engine on an open connection, which is also its shadow
 * database.
 */
export async function withEngine<T>(
  kind: DatabaseKind,
  connection: SqlDriverAdapter,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loadWasm();
  const adapter = bindMigrationAwareSqlAdapterFactory(onlyConnection(connection));
  const engine = await binding.SchemaEngine.new(
    { datamodels: [['schema.prisma', schemaFor(kind)]] },
    ignoreLog,
    adapter,
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}

function ignoreLog(): void {}

/** The engine opens and closes connections; ours is in a transaction that must outlive it. */
function onlyConnection(connection: SqlDriverAdapter): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = connection;
  const lasting: SqlDriverAdapter = {
    provider,
    adapterName,
    queryRaw: (query) => connection.queryRaw(query),
    executeRaw: (query) => executeRaw(connection, query),
    executeScript: (script) => connection.executeScript(script),
    startTransaction: (level) => connection.startTransaction(level),
    getConnectionInfo: () => connection.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: async () => {},
  };
  return {
    provider,
    adapterName,
    connect: async () => lasting,
    connectToShadowDb: async () => lasting,
  };
}

/** A whole migration can arrive as one "statement" without arguments. */
async function executeRaw(connection: SqlDriverAdapter, query: SqlQuery): Promise<number> {
  if (query.args.length > 0) return connection.executeRaw(query);
  await connection.executeScript(query.sql);
  return 0;
}

/** Packed, because its place is written out: see package/traced.ts. */
const program = new URL(
  '../../node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm',
  import.meta.url,
);

let loaded = false;
function loadWasm(): void {
  if (loaded) return;
  const wasm = new WebAssembly.Module(readFileSync(program));
  const { exports } = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': imports() });
  binding.__wbg_set_wasm(exports);
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) },
  });
  (exports as { __wbindgen_start: () => void }).__wbindgen_start();
  loaded = true;
}

/** The timeout that the engine puts on its lock would keep the process alive for ten seconds. */
function imports(): WebAssembly.ModuleImports {
  const given: WebAssembly.ModuleImports = { ...binding };
  const timer = Object.keys(given).find((name) => name.startsWith('__wbg_setTimeout_'));
  if (timer) given[timer] = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  return given;
}
