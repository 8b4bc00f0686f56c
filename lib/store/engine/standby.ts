import type pg from 'pg';

/*
 * A standby lags behind its primary: what was revoked there may still be good here. So it is as if
 * nobody were there. Until it is promoted each new connection finds it so, and then none does.
 */

/** Milliseconds for the answer. */
const patience = 3000;
/** Milliseconds for which a pooler that answered for a primary is believed. */
const believed = 1000;
/** How often a pooler is asked at first: one that turns to a standby every other time is found out. */
const manyTimes = 12;

/**
 * Asked of a table of ours: a pooler that spreads what is read over standbys sends this where it sends our
 * statements, while it keeps `pg_is_in_recovery()` for the primary.
 */
const askWhetherStandby =
  "SELECT current_setting('in_hot_standby', true) = 'on' AS \"isStandby\" FROM revision WHERE id = 1";
const noSuchTable = '42P01';

/**
 * Lets a connection pass whose server is a primary.
 * @throws an error that says so if it is a standby; what the driver says
 */
export async function demandPrimary(client: pg.ClientBase): Promise<void> {
  const config = { text: askWhetherStandby, query_timeout: patience } as pg.QueryConfig;
  const { rows } = await client.query(config).catch((error: { code?: string }) => {
    // Nothing is stored yet that could be read late.
    if (error.code === noSuchTable) return { rows: [] };
    throw error;
  });
  if (rows[0]?.isStandby) throw refusedStandby();
}

function refusedStandby(): Error {
  const what =
    'this PostgreSQL is a standby, which may lag; DATABASE_URL has to lead to the primary, and a pooler to send there what is read, too (pgpool: load_balance_mode = off)';
  return Object.assign(new Error(what), { code: '25006' });
}

/** The server behind a pooler, which may turn to another one beneath connections that stay open. */
export class ServerBehindPooler {
  /** When it was last found to be a primary, in milliseconds; 0: never. */
  #primaryAt = 0;

  /** As `demandPrimary`; asks once a second at most, and many times at first. */
  async confirmPrimary(connection: pg.ClientBase): Promise<void> {
    if (Date.now() - this.#primaryAt < believed) return;
    const times = this.#primaryAt === 0 ? manyTimes : 1;
    for (let asked = 0; asked < times; asked += 1) await demandPrimary(connection);
    this.#primaryAt = Date.now();
  }
}
