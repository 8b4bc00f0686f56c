import type { Command } from 'commander';
import type { Actor } from '../store/actor.ts';
import { remoteServer } from './remote.ts';

/** The result of a command, for scripts and for people. */
export type Answer = {
  json: Record<string, unknown>;
  text: string;
  /** If it is not 0, it says what was found. */
  exitCode?: number;
  /** The answer contains addresses of the server, as configured for this command. */
  leads?: boolean;
};

/** The actor in the audit log. */
export const cli: Actor = { id: 'cli' };

/** Opens its database itself, on this machine, then prints the result. */
export function printing<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return printed(async (...args: A) => {
    if (remoteServer()) throw new Error('This only works on the server’s own machine.');
    return work(...args);
  });
}

/** Makes the action of a command that runs on this machine or on another server. */
export function printed<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return async function (this: Command, ...args: A) {
    const { json, text, exitCode } = await work(...args);
    process.exitCode = exitCode;
    const asJson = this.optsWithGlobals<{ json?: boolean }>().json;
    process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`);
  };
}

/**
 * Makes the action of a command: opens and migrates the database, runs the command, closes the
 * database, and only then prints the result, so that a failure prints none.
 */
export function answering<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return printing(async (...args: A) => {
    const { withStore } = await import('./store.ts');
    return withStore(async () => {
      const answer = await work(...args);
      if (answer.leads) await warnWhereItLeads();
      return answer;
    });
  });
}

async function warnWhereItLeads(): Promise<void> {
  const { leadsElsewhere } = await import('./leads-elsewhere.ts');
  const warning = await leadsElsewhere();
  if (warning) console.error(warning);
}
