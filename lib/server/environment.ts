import { readEnvFile } from '../settings/env-file.ts';

/** Names, separated by spaces, that this process's starter read from `.env`. */
const namesFromFile = 'READ_FROM_ENV_FILE';

type Environment = Record<string, string | undefined>;

/** `.env` may have changed by the time it is read again. */
export function forgetFile(env: Environment): void {
  for (const name of env[namesFromFile]?.split(' ') ?? []) delete env[name];
  delete env[namesFromFile];
}

/**
 * The variables that are set, plus those that `.env` adds now.
 * @param warn is told about names in the file that are not ours
 * @throws EnvFileError
 */
export function readEnvironment(
  root: string,
  warn: (sentence: string) => void = () => {},
): Environment {
  const { values, others } = readEnvFile(process.env, root);
  if (others) warn(others);
  return { ...values, ...process.env };
}

/** An invalid value counts as 1 here: the worker that reads it refuses it. */
export function workersIn({ WORKERS = '' }: Environment): number {
  return /^\d+$/.test(WORKERS) && Number(WORKERS) <= mostWorkers ? Math.max(1, Number(WORKERS)) : 1;
}

/** The highest value that `WORKERS` accepts. */
const mostWorkers = 64;
