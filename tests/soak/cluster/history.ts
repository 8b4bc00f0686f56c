/** What a server gave to somebody, who can use it until it ends. A line is an authorization, from its code on. */
export type Kind = 'code' | 'access' | 'refresh' | 'sign-in';

/**
 * How a request ended: carried out; refused for good; or nobody can tell, as with a 503, a connection
 * that broke or an answer that never came: it may have been carried out, also later.
 */
export type Outcome = 'done' | 'refused' | 'unknown';

/** One request of a client, as the client saw it. Moments are milliseconds of one steady clock. */
export type Operation = {
  begun: number;
  /** When its answer was there, or was given up. */
  ended: number;
  /** `begin`: a sign-in; `use`: show it to a server, which honours it or not; `end`: revoke it, or sign out. */
  does: 'begin' | 'use' | 'end';
  kind: Kind | 'line';
  /** Which one. Two answers that give the same thing name it alike. */
  thing: string;
  /** What it belongs to and ends with; a sign-in is its own. */
  line: string;
  outcome: Outcome;
  /** The things that the answer brought, and which of them is the refresh token. */
  gave?: readonly string[];
  next?: string | undefined;
};

/** What came out of a request. */
export type Found = Pick<Operation, 'outcome' | 'gave' | 'next'>;

/** The requests of everybody, in the order in which they ended. */
export class History {
  readonly operations: Operation[] = [];

  /** Makes a request and keeps how it went; where asking throws, nobody can tell. */
  async record<T extends Found>(
    about: Pick<Operation, 'does' | 'kind' | 'thing' | 'line'>,
    ask: () => Promise<T>,
  ): Promise<T | { outcome: 'unknown' }> {
    const begun = performance.now();
    const found = await ask().catch(() => ({ outcome: 'unknown' as const }));
    const { outcome, gave, next }: Found = found;
    const came = gave ? { gave, next } : {};
    this.operations.push({ ...about, begun, ended: performance.now(), outcome, ...came });
    return found;
  }
}
