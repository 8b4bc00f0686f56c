import pino from 'pino';
import { config } from '../config.ts';
import { once } from '../once.ts';
import { LogOutput } from './log-output.ts';
import { withTrace } from './trace-context.ts';

/**
 * The log: JSON lines on standard output. Request targets are logged without their query, and no
 * secret, code, token or password is ever passed in.
 */
export function log(): pino.Logger {
  return once('log', () => {
    const { logLevel } = config();
    const level = isCommand() && ['info', 'debug'].includes(logLevel) ? 'warn' : logLevel;
    const formatters = { log: withTrace };
    const options = {
      level,
      base: undefined,
      formatters,
      timestamp: pino.stdTimeFunctions.isoTime,
    };
    return pino(options, logOutput());
  });
}

export function logOutput(): LogOutput {
  return once('log-output', () => new LogOutput(isCommand() ? 2 : 1));
}

/**
 * Switches to command mode: standard output is left to the command's result, and the log goes to
 * standard error, with warnings and errors only by default.
 */
export function logAsCommand(): void {
  once('log-of-command', () => true);
}

const isCommand = () => once('log-of-command', () => false);
