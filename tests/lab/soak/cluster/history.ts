/**
 * What a server gives to a client, which can use it until it ends. A line is an authorization, from
 * its code on.
 */
export type Kind = 'code' | 'access' | 'refresh' | 'sign-in';

/**
 * How a request ended. `unknown` stands for a 503, a broken connection or a missing answer: the
 * request may have been carried out, even later.
 */
export type Outcome = 'done' | 'refused' | 'unknown';

/** One request, as its client saw it. Times are milliseconds of one monotonic clock. */
export type Operation = {
  begun: number;
  /** When the answer arrived, or the client gave up. */
  ended: number;
  /**
   * `begin`: a sign-in. `use`: shows something to a server, which accepts it or not. `end`: revokes
   * it, or signs out.
   */
  does: 'begin' | 'use' | 'end';
  kind: Kind | 'line';
  /** The name of the thing. Two answers that give the same thing use the same name. */
  thing: string;
  /** The line that the thing belongs to and ends with. A sign-in is its own line. */
  line: string;
  outcome: Outcome;
  /** The things that the answer returned, and which of them is the refresh token. */
  gave?: readonly string[];
  next?: string | undefined;
};

/** The result of a request. */
export type Found = Pick<Operation, 'outcome' | 'gave' | 'next'>;

/** The requests of all clients, in the order in which they ended. */
export class History {
  readonly operations: Operation[] = [];

  /** Makes a request and records how it ended. If `ask` throws, the outcome is unknown. */
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
