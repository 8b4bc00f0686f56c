import { once } from '../once.ts';

/** Shared by both module graphs: the server sets it, endpoints read it. */
const state = () =>
  once('stopping', () => ({ stopping: false, isEnding: false, leaving: new Set<() => void>() }));

/** Announces that this process should get no new work, and ends what would go on by itself. */
export function announceStop(): void {
  state().stopping = true;
  endLasting();
}

/** Ends what would go on by itself, such as the answer to a page that listens. */
export function endLasting(): void {
  state().isEnding = true;
  for (const leave of [...state().leaving]) leave();
}

/** Whether this process is stopping. It still answers requests. */
export function isStopping(): boolean {
  return state().stopping;
}

/** Whether this process ends soon, stopping or replaced: nothing that lasts begins. */
export function isEnding(): boolean {
  return state().isEnding;
}

/** Calls `leave` when the stop is announced. Returns what forgets it. */
export function onStop(leave: () => void): () => void {
  state().leaving.add(leave);
  return () => state().leaving.delete(leave);
}
