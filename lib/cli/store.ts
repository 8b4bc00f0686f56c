import { config } from '../config.ts';
import { leaveMailsToServer } from '../mail/post.ts';
import { closeStore } from '../store/database.ts';
import { applyMigrations } from '../tooling/migrate.ts';

/** Runs work with the database at hand, brought up to date first and closed afterwards, so that the process can end. */
export async function withStore<T>(work: () => Promise<T>): Promise<T> {
  await applyMigrations(config().databaseUrl);
  leaveMailsToServer();
  try {
    return await work();
  } finally {
    await closeStore();
  }
}
