import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { readEnvironment, workersIn } from './server/environment.ts';
import { nameOwnPlaces } from './server/own-places.ts';
import { EnvFileError } from './settings/env-file.ts';

// The screens, .env and relative paths are here, wherever the command is called from.
process.chdir(resolve(import.meta.dirname, '..'));
nameOwnPlaces();
// Load only what will run: the serving code needs most of the memory.
if (cluster.isPrimary && workersWanted() > 1) {
  const { runCrew } = await import('./server/primary.ts');
  await runCrew();
} else {
  // A worker gets its orders from the primary.
  if (cluster.isPrimary) {
    const { onHangUp, stayAsItIs } = await import('./server/hang-up.ts');
    onHangUp(stayAsItIs);
  }
  await import('./server/serve.ts');
}

/** @returns 1 where `.env` cannot be used, which the process that serves says */
function workersWanted(): number {
  try {
    return workersIn(readEnvironment(process.cwd()));
  } catch (error) {
    if (error instanceof EnvFileError) return 1;
    throw error;
  }
}
