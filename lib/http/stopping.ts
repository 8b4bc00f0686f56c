import { once } from '../once.ts';

/** In both module graphs: the server sets it, an endpoint asks. */
const state = () => once('stopping', () => ({ stopping: false }));

/** From now on this process is to get no new work. */
export function announceStop(): void {
  state().stopping = true;
}

/** Whether this process has been told to stop; it still answers whoever asks. */
export function isStopping(): boolean {
  return state().stopping;
}
