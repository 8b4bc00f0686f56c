import type { Command } from 'commander';
import type { Actor } from '../store/actor.ts';
import { remoteServer } from './remote.ts';

/** The result of a command, for scripts and for people. */
export type Answer = {
  json: Record<string, unknown>;
  text: string;
  /** Other than 0, it tells of what was found. */
  exitCode?: number;
  /** It has addresses of the server in it, as this command knows it. */
  leads?: boolean;
};

/** The actor in the audit log. */
export const cli: Actor = { id: 'cli' };

/** Turns a command that opens its database itself into its action: runs it here, then prints the result. */
export function printing<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return printed(async (...args: A) => {
    if (remoteServer()) throw new Error('This is done on the machine of the server alone.');
    return work(...args);
  });
}

/** The action of a command that runs wherever it was told to. */
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
 * Turns a command into its action: opens and migrates the database, runs, closes it, and only then
 * prints the result, so a failure prints none.
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
