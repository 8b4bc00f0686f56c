import { restQueues } from '#lib/queue.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { forgetMade } from './made.ts';
import { sharedEnv } from './shared-env.ts';

/**
 * Makes this process work on another database, as its servers do. Everything that was made once is
 * forgotten.
 */
export function workOn(databaseUrl: string): void {
  // In one step: between two, a late timer of earlier work would make everything again for the old
  // database.
  forgetMade();
  // Audit events are log lines, which do not belong in a test's own output.
  Object.assign(process.env, { ...sharedEnv, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' });
}

/**
 * Changes settings of this process even if they have already been read: a late timer of earlier
 * work can read them at any moment, and they are kept once read.
 */
export function setEnvironment(values: Record<string, string>): void {
  Object.assign(process.env, values);
  forgetMade('config', 'mail-transport');
}

/** Ends the work on a database. Waiting work is no longer begun, and running work has finished. */
export async function endWork(): Promise<void> {
  await restQueues();
  await closeStore();
}
