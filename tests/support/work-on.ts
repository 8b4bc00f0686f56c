import { restQueues } from '#lib/queue.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { forgetMade } from './made.ts';
import { sharedEnv } from './server.ts';

/** Makes this process work on another database, as its servers do: whatever was made once is forgotten. */
export function workOn(databaseUrl: string): void {
  // In one go: a late timer of the work before would make everything again for the old database.
  forgetMade();
  // Audit events are lines of the log, which a test's own output is not the place for.
  Object.assign(process.env, { ...sharedEnv, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' });
}

/**
 * Gives this process settings, whether or not something has read what they were before: a late timer
 * of the work before reads them at any moment, and they are kept.
 */
export function setEnvironment(values: Record<string, string>): void {
  Object.assign(process.env, values);
  forgetMade('config', 'mail-transport');
}

/** Ends the work on a database: what waits is begun no more, and what is under way has come to its end. */
export async function endWork(): Promise<void> {
  await restQueues();
  await closeStore();
}
