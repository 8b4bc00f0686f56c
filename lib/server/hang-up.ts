import { closeSync, openSync } from 'node:fs';
import { note } from './notes.ts';

/** A signal arrives several times: from the terminal, from npm and from a service manager. */
export const sameSignal = 1000;

/**
 * Hears SIGHUP. A terminal that was closed says so by it, and then the server stops as on SIGTERM;
 * whoever else sends it wants the server to go on with what is new.
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

/** What a server of one process does: nobody else would answer while it starts again. */
export const stayAsItIs = () =>
  note(
    'warn',
    'SIGHUP: nothing was read again, as one process cannot be replaced without a gap. Restart the server, or start it with WORKERS=2 or more',
  );

/** A terminal that was closed cannot be opened. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
