import cluster from 'node:cluster';

/**
 * Which process this is: the only one; the first of several, which brings the database up to date
 * and greets; the first of a new set, beside an old one that still works; or a further one.
 */
export type Turn = 'alone' | 'first' | 'renewing' | 'further';

/** The variables in which a worker is told its turn and its place, from 1. */
export const turnName = 'WORKER_TURN';
export const placeName = 'WORKER_PLACE';

/** What primary and workers tell each other. */
export type Message =
  | { is: 'ready' }
  | { is: 'leave' }
  | { is: 'ask-metrics'; question: number }
  | { is: 'metrics'; question: number; parts: unknown[] };

/** @param env the environment of this process */
export function turnOf(env: Record<string, string | undefined>): Turn {
  return cluster.isWorker ? ((env[turnName] ?? 'further') as Turn) : 'alone';
}

/** Tells the primary, where there is one. */
export function tellPrimary(message: Message): void {
  if (cluster.isWorker && process.connected) process.send?.(message);
}

/** Hears what the primary says. */
export function onPrimary<Is extends Message['is']>(
  is: Is,
  hear: (message: Extract<Message, { is: Is }>) => void,
): void {
  if (!cluster.isWorker) return;
  process.on('message', (message: Message) => {
    if (message?.is === is) hear(message as Extract<Message, { is: Is }>);
  });
}
