import type pg from 'pg';

/** Milliseconds between two looks, and the time limit of one. */
const [between, patience] = [1000, 3000];

/**
 * Connections that we gave up on while PostgreSQL may still be busy with their last statement. A
 * commit that waits for a standby keeps waiting after its client has gone, and keeps occupying one
 * of PostgreSQL's connections. Opening a new connection each time would soon use them all up,
 * including those a standby needs to come back.
 */
export class GivenUp {
  readonly #processes = new Set<number>();
  #lookedAt = 0;

  get size(): number {
    return this.#processes.size;
  }

  /**
   * Adds a connection. The process number that a pooler makes up matches no process, and is dropped
   * at the next look.
   */
  add(client: pg.ClientBase): void {
    const { processID } = client as unknown as { processID: number | null };
    if (processID) this.#processes.add(processID);
  }

  /**
   * Forgets connections that are no longer busy or, after a failover, no longer exist; asks at most
   * once a second. @throws what the driver throws
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
