import type pg from 'pg';

/*
 * A standby lags behind its primary, so what was revoked may still look valid on it. It is
 * therefore treated as if no database were there. Each new connection is refused until the standby
 * is promoted; afterwards none is.
 */

/** Milliseconds to wait for the answer. */
const patience = 3000;
/** Milliseconds for which a pooler that led to a primary is trusted to still do so. */
const believed = 1000;
/**
 * How often a pooler is asked at first, so that one that goes to a standby every other time is
 * found out.
 */
const manyTimes = 12;

/**
 * Reads one of our tables. A pooler that spreads reads over standbys sends this query where it
 * sends our statements, whereas it sends `pg_is_in_recovery()` to the primary.
 */
const askWhetherStandby =
  "SELECT current_setting('in_hot_standby', true) = 'on' AS \"isStandby\" FROM revision WHERE id = 1";
const noSuchTable = '42P01';

/**
 * Accepts a connection only if its server is a primary.
 * @throws an error that says so if it is a standby; what the driver throws
 */
export async function demandPrimary(client: pg.ClientBase): Promise<void> {
  const config = { text: askWhetherStandby, query_timeout: patience } as pg.QueryConfig;
  const { rows } = await client.query(config).catch((error: { code?: string }) => {
    // Without the table, nothing is stored yet that a standby could be late with.
    if (error.code === noSuchTable) return { rows: [] };
    throw error;
  });
  if (rows[0]?.isStandby) throw refusedStandby();
}

function refusedStandby(): Error {
  const what =
    'this PostgreSQL is a standby, which may lag; DATABASE_URL has to lead to the primary, and a pooler must send reads there, too (pgpool: load_balance_mode = off)';
  return Object.assign(new Error(what), { code: '25006' });
}

/**
 * The server behind a pooler. The pooler may switch to another one beneath connections that stay
 * open.
 */
export class ServerBehindPooler {
  /** When it was last found to be a primary, in milliseconds; 0: never. */
  #primaryAt = 0;

  /** As `demandPrimary`; asks at most once a second, but many times at first. */
  async confirmPrimary(connection: pg.ClientBase): Promise<void> {
    if (Date.now() - this.#primaryAt < believed) return;
    const times = this.#primaryAt === 0 ? manyTimes : 1;
    for (let asked = 0; asked < times; asked += 1) await demandPrimary(connection);
    this.#primaryAt = Date.now();
  }
}
