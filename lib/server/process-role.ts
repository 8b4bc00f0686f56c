import cluster from 'node:cluster';

/**
 * Which process this is: the only one; the first of several, which migrates the database and
 * greets; the first of a new set, beside an old one that still serves; or a further one.
 */
export type ProcessRole = 'alone' | 'first' | 'renewing' | 'further';

/** The variables that tell a worker its role and its place (from 1). */
export const roleVariable = 'WORKER_TURN';
export const placeVariable = 'WORKER_PLACE';

export type Message =
  | { is: 'ready' }
  | { is: 'leave' }
  | { is: 'ask-metrics'; question: number }
  | { is: 'metrics'; question: number; parts: unknown[] };

/** The role of this process. @param env the environment of this process */
export function processRole(env: Record<string, string | undefined>): ProcessRole {
  return cluster.isWorker ? ((env[roleVariable] ?? 'further') as ProcessRole) : 'alone';
}

export function tellPrimary(message: Message): void {
  if (cluster.isWorker && process.connected) process.send?.(message);
}

/** Calls back for each message of a kind from the primary. */
export function onPrimary<Is extends Message['is']>(
  is: Is,
  hear: (message: Extract<Message, { is: Is }>) => void,
): void {
  if (!cluster.isWorker) return;
  process.on('message', (message: Message) => {
    if (message?.is === is) hear(message as Extract<Message, { is: Is }>);
  });
}
