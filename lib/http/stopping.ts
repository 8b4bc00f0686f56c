import { once } from '../once.ts';

/** Shared by both module graphs: the server sets it, endpoints read it. */
const state = () => once('stopping', () => ({ stopping: false, leaving: new Set<() => void>() }));

/** Announces that this process should get no new work, and ends what would go on by itself. */
export function announceStop(): void {
  state().stopping = true;
  for (const leave of [...state().leaving]) leave();
}

/** Whether this process is stopping. It still answers requests. */
export function isStopping(): boolean {
  return state().stopping;
}

/** Calls `leave` when the stop is announced. Returns what forgets it. */
export function onStop(leave: () => void): () => void {
  state().leaving.add(leave);
  return () => state().leaving.delete(leave);
}
