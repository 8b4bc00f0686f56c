import { closeSync, openSync } from 'node:fs';
import { note } from './notes.ts';

/** Milliseconds in which signals are one: terminal, npm and a manager may each send it. */
export const sameSignal = 1000;

/**
 * Handles SIGHUP. If it came because the terminal was closed, the server stops as on SIGTERM. From
 * any other sender, it asks the server to continue with new settings or a new version.
 */
export function onHangUp(renew: () => void): void {
  const hadTerminal = hasTerminal();
  let last = Number.NEGATIVE_INFINITY;
  process.on('SIGHUP', () => {
    if (performance.now() - last < sameSignal) return;
    last = performance.now();
    if (hadTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
    else renew();
  });
}

/**
 * Answers SIGHUP in a server of one process: no other process would answer requests while it
 * restarts.
 */
export const stayAsItIs = () =>
  note(
    'warn',
    'SIGHUP: nothing was read again, as one process cannot be replaced without a gap. Restart the server, or start it with WORKERS=2 or more',
  );

/** Whether this process has a terminal. A terminal that was closed cannot be opened. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
