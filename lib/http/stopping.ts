import { once } from '../once.ts';

/** Shared by both module graphs: the server sets it, endpoints read it. */
const state = () =>
  once('stopping', () => ({ stopping: false, isEnding: false, leaving: new Set<() => void>() }));

/** Announces that this process should get no new work, and ends its long-lived responses. */
export function announceStop(): void {
  state().stopping = true;
  endLasting();
}

/** Ends responses that would go on indefinitely, such as an event stream. */
export function endLasting(): void {
  state().isEnding = true;
  for (const leave of [...state().leaving]) leave();
}

/** Whether this process is stopping. It still answers requests. */
export function isStopping(): boolean {
  return state().stopping;
}

/** Whether this process ends soon: it begins no long-lived response. */
export function isEnding(): boolean {
  return state().isEnding;
}

/** Calls `leave` when long-lived responses must end. Returns a function that cancels this. */
export function onStop(leave: () => void): () => void {
  state().leaving.add(leave);
  return () => state().leaving.delete(leave);
}
