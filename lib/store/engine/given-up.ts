import type pg from 'pg';

/** Milliseconds between two looks, and for the answer to one. */
const [between, patience] = [1000, 3000];

/**
 * Connections that were left while PostgreSQL may still be busy with their last statement. A commit
 * that waits for a standby goes on waiting when nobody is left who wants to know, and so goes on to
 * take one of the connections that PostgreSQL has. Whoever opened another one each time would soon
 * have taken all, also those by which a standby comes back.
 */
export class GivenUp {
  readonly #processes = new Set<number>();
  #lookedAt = 0;

  get size(): number {
    return this.#processes.size;
  }

  /** Adds a connection. The process number that a pooler makes up belongs to no process, and is dropped at the next look. */
  add(client: pg.ClientBase): void {
    const { processID } = client as unknown as { processID: number | null };
    if (processID) this.#processes.add(processID);
  }

  /**
   * Forgets those that are busy no more or, after a fail-over, were somebody else's; asks once a second
   * at most. @throws what the driver says
   */
  async look(client: pg.ClientBase): Promise<void> {
    if (this.size === 0 || Date.now() - this.#lookedAt < between) return;
    this.#lookedAt = Date.now();
    const asked = [...this.#processes];
    const text =
      "SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND usename = current_user AND state <> 'idle'";
    const query = { text, values: [asked], query_timeout: patience } as pg.QueryConfig;
    const { rows } = await client.query<{ pid: number }>(query);
    const busy = new Set(rows.map(({ pid }) => pid));
    for (const each of asked) if (!busy.has(each)) this.#processes.delete(each);
  }
}
