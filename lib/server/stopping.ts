import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { announceStop, endLasting } from '../http/stopping.ts';
import { log, logOutput } from '../telemetry/log.ts';
import type { Connections } from './connections.ts';
import { onPrimary } from './process-role.ts';

type Stopping = {
  connections: Connections;
  /** The other listener: LDAP. */
  ldap: { drain: () => Promise<void>; endAll: () => void };
  /** Milliseconds to keep answering after announcing the stop. */
  delay: number;
  /** Milliseconds after that for requests and background work still in progress. */
  timeout: number;
  /** Begins no further background work, and waits for the work in progress. */
  rest: () => Promise<void>;
  /** Called last. */
  finish: () => Promise<void>;
};

/** Milliseconds. One Ctrl-C arrives several times: from the terminal and via npm. */
const sameKeystroke = 1000;
/** Milliseconds. An unresponsive database must not keep the process alive. */
const finishLimit = 3000;

/** Milliseconds. A reader of the log that has stopped reading must not keep it alive either. */
const outputLimit = 500;

/** Milliseconds of silence after which a kept connection is not about to be reused. */
const silence = 2000;

/**
 * Stops gracefully on SIGTERM and SIGINT and exits with 0; a later second signal stops immediately.
 * A worker leaves gracefully when the primary tells it to. Workers ignore SIGHUP, which only the
 * primary handles.
 */
export function stopOnSignal(stopping: Stopping): void {
  const hurry = new AbortController();
  let first: number | undefined;
  let isLeaving = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (first !== undefined && now - first > sameKeystroke) hurry.abort();
      if (first !== undefined) return;
      first = now;
      // A worker that is leaving ends anyway, without haste.
      if (!isLeaving) void stop(stopping, hurry.signal);
    });
  }
  if (cluster.isWorker) process.on('SIGHUP', () => {});
  onPrimary('leave', () => {
    if (first !== undefined || isLeaving) return;
    isLeaving = true;
    void leave(stopping, hurry.signal);
  });
}

/**
 * Leaves while other workers take over, so no load balancer has to be told. Takes no new
 * connections from now on. Each existing connection ends with its next answer, or after it has been
 * silent for a while.
 */
async function leave(stopping: Stopping, hurry: AbortSignal): Promise<void> {
  const { connections, delay } = stopping;
  log().info('leaving');
  connections.letNobodyIn();
  connections.closeEachWithItsAnswer();
  endLasting();
  if (connections.areNeeded) await pauseUnless(hurry, Math.max(delay, silence));
  await end(stopping, hurry);
}

/**
 * First tells load balancers (`/readyz`, `Connection: close`) while everything is still answered;
 * then accepts no new connections; then gives requests in progress their time; then cuts off the
 * rest.
 */
async function stop(stopping: Stopping, hurry: AbortSignal): Promise<void> {
  const { connections, delay } = stopping;
  log().info('stopping');
  announceStop();
  connections.closeEachWithItsAnswer();
  if (connections.areNeeded) await pauseUnless(hurry, delay);
  await end(stopping, hurry);
}

async function end(stopping: Stopping, hurry: AbortSignal): Promise<void> {
  const { connections, ldap, timeout, rest, finish } = stopping;
  const overdue = pauseUnless(hurry, timeout).then(() => {
    connections.endAll();
    ldap.endAll();
  });
  await Promise.race([Promise.all([connections.drain(), ldap.drain(), rest()]), overdue]);
  const late = pause(finishLimit).then(() => Promise.reject(new Error('It takes too long.')));
  await Promise.race([finish(), late]).catch((error: unknown) =>
    log().warn({ err: error }, 'the database could not be closed; counts may be lost'),
  );
  await logOutput().written(outputLimit);
  logOutput().flush();
  process.exit(0);
}

async function pauseUnless(hurry: AbortSignal, milliseconds: number): Promise<void> {
  await pause(milliseconds, undefined, { signal: hurry }).catch(() => {});
}
