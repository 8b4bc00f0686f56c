import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { settingsFileOf } from '../settings/data-folder.ts';

/** Names, separated by spaces, that whoever started this process took from `.env`. */
const namesFromFile = 'READ_FROM_ENV_FILE';

type Environment = Record<string, string | undefined>;

/**
 * Forgets what `npm start` has taken from `.env` for this process: the file may say something else
 * by the time it is read again.
 */
export function forgetFile(env: Environment): void {
  for (const name of env[namesFromFile]?.split(' ') ?? []) delete env[name];
  delete env[namesFromFile];
}

/** What is set, and what `.env` adds to it now. */
export function readEnvironment(root: string): Environment {
  const file = settingsFileOf(process.env, root);
  return { ...(existsSync(file) && parseEnv(readFileSync(file, 'utf8'))), ...process.env };
}

/** How many processes are wanted; a value that is none is refused by the one that reads it. */
export function workersIn({ WORKERS = '' }: Environment): number {
  return /^\d+$/.test(WORKERS) && Number(WORKERS) <= mostWorkers ? Math.max(1, Number(WORKERS)) : 1;
}

/** The most that `WORKERS` takes. */
const mostWorkers = 64;
