import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { isSilence, orAway } from './away.ts';

/** Milliseconds. */
const patience = 3000;
/**
 * Which of the two connections asks next. They do not simply alternate, because a pool of two that
 * alternates as well would go unnoticed.
 */
const order = [0, 1, 0, 0, 1, 1, 0, 1] as const;
/** A setting of our own, which has no effect on anyone else who is given the connection. */
const mark = 'gatehouse.mark';

/**
 * Whether a pooler lends connections for one transaction at a time, so that what a client sets on
 * its connection does not stay there. Two connections are opened; each sets a mark and asks for it
 * again and again, in separate transactions. This reveals a pooler with one server connection,
 * which both then share, as well as one with many, which it swaps beneath them.
 * @throws DatabaseAway
 */
export async function lendsConnections(connectionString: string): Promise<boolean> {
  const probes = [new Probe(connectionString), new Probe(connectionString)] as const;
  try {
    for (const probe of probes) await probe.open();
    for (const which of order) if (!(await probes[which].isOwn())) return true;
    const atOnce = await Promise.all(probes.map((probe) => probe.isOwn()));
    return atOnce.includes(false) || !(await probes[0].isOwn());
  } catch (error) {
    throw orAway(error);
  } finally {
    await Promise.all(probes.map((probe) => probe.close()));
  }
}

/** One of the two connections, and what the server told it first. */
class Probe {
  readonly #client: pg.Client;
  readonly #mark = randomUUID();
  #backend: unknown;
  /** The connection is kept waiting by a pool in session mode that has only one to lend. */
  #waits = false;

  constructor(connectionString: string) {
    const limits = { connectionTimeoutMillis: patience, query_timeout: patience };
    this.#client = new pg.Client({ connectionString, ...limits });
    this.#client.on('error', () => {});
  }

  async open(): Promise<void> {
    try {
      await this.#client.connect();
      await this.#client.query(`SET ${mark} = '${this.#mark}'`);
      this.#backend = (await this.#ask()).backend;
    } catch (error) {
      if (!isSilence(error)) throw error;
      this.#waits = true;
    }
  }

  async isOwn(): Promise<boolean> {
    if (this.#waits) return true;
    const told = await this.#ask();
    return told.mark === this.#mark && told.backend === this.#backend;
  }

  async #ask(): Promise<{ mark: string | null; backend: number }> {
    const sql = `SELECT current_setting('${mark}', true) AS mark, pg_backend_pid() AS backend`;
    const { rows } = await this.#client.query(sql);
    return rows[0];
  }

  close(): Promise<void> {
    return this.#client.end().catch(() => {});
  }
}
