import type { Command } from 'commander';
import type { Actor } from '../management/actor.ts';

/** What a command says: to a script, and to a person. */
export type Answer = { json: Record<string, unknown>; text: string };

/** Who the audit log says it was. */
export const cli: Actor = { id: 'cli' };

/**
 * Turns what a command does into its action: the database is brought up to date and opened,
 * closed again, and only then the answer is printed, so that a failure prints none.
 */
export function answering<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return async function (this: Command, ...args: A) {
    const { withStore } = await import('./store.ts');
    const { json, text } = await withStore(() => work(...args));
    const asJson = this.optsWithGlobals<{ json?: boolean }>().json;
    process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`);
  };
}
