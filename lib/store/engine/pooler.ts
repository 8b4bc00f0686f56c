import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { isSilence, orAway } from './away.ts';

/** Milliseconds. */
const patience = 3000;
/** Which of two connections asks. Not in turn: a pool of two that takes turns would hide behind that. */
const order = [0, 1, 0, 0, 1, 1, 0, 1] as const;
/** A setting of our own, which changes nothing for whoever else is given the connection. */
const mark = 'gatehouse.mark';

/**
 * Whether a pooler lends connections for one transaction at a time, so that what one sets does not stay
 * its own. Two are opened, each sets a mark and asks for it again and again, in transactions of their
 * own. It shows with one server connection, which both then share, as well as with many, which are
 * swapped beneath them.
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

/** One of the two connections, and what it was told first. */
class Probe {
  readonly #client: pg.Client;
  readonly #mark = randomUUID();
  #backend: unknown;
  /** A pool in session mode that has one connection to lend keeps the second waiting. */
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
