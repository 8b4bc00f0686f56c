import { config } from '../config.ts';
import { leaveQueuesToServer } from '../queue.ts';
import { closeStore } from '../store/engine/database.ts';
import { applyMigrations } from '../tooling/migrate.ts';

/**
 * Migrates and opens the database, runs work, and closes the database so that the process can exit.
 */
export async function withStore<T>(work: () => Promise<T>): Promise<T> {
  await applyMigrations(config().databaseUrl);
  leaveQueuesToServer();
  try {
    return await work();
  } finally {
    await closeStore();
  }
}
