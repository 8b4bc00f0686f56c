import { setTimeout as pause } from 'node:timers/promises';
import { announceStop } from '../http/stopping.ts';
import { log, logOutput } from '../log.ts';
import type { Connections } from './connections.ts';

export type Stopping = {
  connections: Connections;
  /** How long to go on answering while saying that this process will go, in milliseconds. */
  delay: number;
  /** How long what is under way then may take, in milliseconds. */
  timeout: number;
  /** What comes last. */
  finish: () => Promise<void>;
};

/** One Ctrl-C arrives several times: from the terminal, and handed on by npm. */
const sameKeystroke = 1000;
/** A database that does not answer keeps no process alive. */
const finishLimit = 3000;

/** On SIGTERM and SIGINT stops in good order and exits with 0; a second signal after a while hurries. */
export function stopOnSignal(stopping: Stopping): void {
  const hurry = new AbortController();
  let first: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (first !== undefined && now - first > sameKeystroke) hurry.abort();
      if (first !== undefined) return;
      first = now;
      void stop(stopping, hurry.signal);
    });
  }
}

/**
 * First whoever balances load is told (`/readyz`, `Connection: close`) and everybody is still
 * answered; then nobody is let in; then what is under way has its time; then the rest is cut off.
 */
async function stop(
  { connections, delay, timeout, finish }: Stopping,
  hurry: AbortSignal,
): Promise<void> {
  log().info('stopping');
  announceStop();
  connections.closeEachWithItsAnswer();
  if (connections.areNeeded) await pauseUnless(hurry, delay);
  const overdue = pauseUnless(hurry, timeout).then(() => connections.endAll());
  await Promise.race([connections.drain(), overdue]);
  const late = pause(finishLimit).then(() => Promise.reject(new Error('It takes too long.')));
  await Promise.race([finish(), late]).catch((error: unknown) =>
    log().warn({ err: error }, 'the database could not be closed; counts may be lost'),
  );
  logOutput().flush();
  process.exit(0);
}

async function pauseUnless(hurry: AbortSignal, milliseconds: number): Promise<void> {
  await pause(milliseconds, undefined, { signal: hurry }).catch(() => {});
}
