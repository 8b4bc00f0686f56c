import { apiRights } from '#lib/management/api-key/rights.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import type { databases } from '#lib/tooling/schema.ts';
import { keyWith } from './api.ts';
import { createDatabase, newLogFile } from './database.ts';
import { failuresIn } from './serve-setup.ts';
import { startServer } from './server.ts';
import { workOn } from './work-on.ts';

/** A server with its own database, and an API key with every right on it. */
export type ApiServer = {
  /** The address of its API. */
  base: string;
  key: string;
  /** The failures inside the server so far. */
  failures: () => string[];
  stop: () => Promise<void>;
};

/** Starts a server for test programs that change everything the API lets them change. */
export async function startApiServer(
  kind: (typeof databases)[number],
  env: Record<string, string> = {},
): Promise<ApiServer> {
  const databaseUrl = await createDatabase(kind);
  const logFile = newLogFile(`api-${kind}`);
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  workOn(databaseUrl);
  return {
    base: `http://127.0.0.1:${server.port}/api/v1`,
    key: await keyWith(apiRights),
    failures: () => failuresIn(logFile),
    async stop() {
      await server.stop();
      await closeStore();
    },
  };
}
