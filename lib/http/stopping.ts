import { once } from '../once.ts';

/** Shared by both module graphs: the server sets it, endpoints read it. */
const state = () => once('stopping', () => ({ stopping: false }));

/** Announces that this process should get no new work. */
export function announceStop(): void {
  state().stopping = true;
}

/** Whether this process is stopping. It still answers requests. */
export function isStopping(): boolean {
  return state().stopping;
}
