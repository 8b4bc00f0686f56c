import pino from 'pino';
import { config } from './config.ts';
import { LogOutput } from './log-output.ts';
import { once } from './once.ts';

/**
 * The log: JSON lines on standard output. Request targets are logged without their query,
 * and nothing that was sent as a secret, code, token or password is ever passed in.
 */
export function log(): pino.Logger {
  return once('log', () => {
    const { logLevel } = config();
    const level = isCommand() && ['info', 'debug'].includes(logLevel) ? 'warn' : logLevel;
    const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
    return pino(options, logOutput());
  });
}

/** Where the lines of this process go. */
export function logOutput(): LogOutput {
  return once('log-output', () => new LogOutput(isCommand() ? 2 : 1));
}

/** This process is a command: its answer has standard output for itself, and it says only what went wrong. */
export function logAsCommand(): void {
  once('log-of-command', () => true);
}

const isCommand = () => once('log-of-command', () => false);
