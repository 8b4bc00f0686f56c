import pino from 'pino';
import { config } from './config.ts';
import { once } from './once.ts';

/**
 * The log: JSON lines on standard output. Request targets are logged without their query,
 * and nothing that was sent as a secret, code, token or password is ever passed in.
 */
export function log(): pino.Logger {
  return once('log', () =>
    pino({ level: config().logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }),
  );
}
