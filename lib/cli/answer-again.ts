import { config, gatehouseVersion } from '../config.ts';
import { type Answered, answerAgain } from '../doctor/answers.ts';
import { leaveQueuesToServer } from '../queue.ts';
import { closeStore } from '../store/engine/database.ts';
import { disturbing } from '../tooling/beside.ts';
import { applyMigrations } from '../tooling/migrate.ts';
import { migrationsRoot } from '../tooling/migrations.ts';
import { isScratch } from '../tooling/scratch.ts';
import type { Answer } from './answer.ts';
import { refuseCommand } from './refuse.ts';

/**
 * What a version did to a copy of the database, and how it answers. It is read by another version,
 * of the release before or after.
 */
export type Rehearsed = {
  version: string;
  migrations: string[];
  /** Why servers would have to be stopped for the migrations; null if they would not. */
  disturbs: string | null;
  /** How long the migrations took. */
  milliseconds: number;
  answers: Answered[];
};

/** Migrates a copy, and answers the recorded requests again. Refuses other databases. */
export async function answerOnCopy(since: string): Promise<Answer> {
  const { databaseUrl, database } = config();
  if (!isScratch(databaseUrl))
    refuseCommand('This is for the copy that doctor --rehearse makes. Nothing was changed.');
  const from = performance.now();
  const migrations = await applyMigrations(databaseUrl);
  const milliseconds = Math.round(performance.now() - from);
  leaveQueuesToServer();
  try {
    const found = disturbing({ kind: database }, migrations, migrationsRoot, gatehouseVersion());
    const json: Rehearsed = {
      version: gatehouseVersion(),
      migrations,
      disturbs: found && `${found.name}: ${found.why}`,
      milliseconds,
      answers: await answerAgain(new Date(since)),
    };
    return { json, text: `${json.answers.length} requests answered` };
  } finally {
    await closeStore();
  }
}
