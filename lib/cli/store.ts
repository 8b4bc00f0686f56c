import { config } from '../config.ts';
import { leaveQueuesToServer } from '../queue.ts';
import { closeStore } from '../store/engine/database.ts';
import { applyMigrations } from '../tooling/migrate.ts';

/**
 * Runs work with the database migrated and open, and closes it afterwards so the process can exit.
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
