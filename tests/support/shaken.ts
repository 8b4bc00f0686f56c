import { setInterval as ticks } from 'node:timers/promises';
import pg from 'pg';

/*
 * A PostgreSQL server that fails as often as it can without losing data. Transactions are refused
 * (40001), are the victim of a deadlock (40P01), or lose their connection before the commit
 * (57P01). Idle connections are ended too. Only connections of the server under test are affected;
 * it uses this application name.
 */
const name = 'shaken';

// Each transaction is given one fate, which strikes at its first, second or third change or at its
// commit. A transaction that is retried gets the next fate in the sequence, so that it succeeds.
const functions = `
  CREATE SEQUENCE shaken_turns;
  CREATE FUNCTION shaken_fate() RETURNS text LANGUAGE plpgsql AS $$
  DECLARE fate text := current_setting('shaken.fate', true); turn bigint;
  BEGIN
    IF current_setting('application_name') <> '${name}' THEN RETURN 'none 0'; END IF;
    IF COALESCE(fate, '') = '' THEN
      turn := nextval('shaken_turns');
      fate := CASE turn % 21 WHEN 0 THEN '40001' WHEN 7 THEN '40P01' WHEN 14 THEN '57P01' ELSE 'none' END || ' ' || turn / 21 % 4;
      PERFORM set_config('shaken.fate', fate, true);
    END IF;
    RETURN fate;
  END $$;
  CREATE FUNCTION shaken_meet(code text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF code = '57P01' THEN
      PERFORM pg_terminate_backend(pg_backend_pid());
      PERFORM pg_sleep(60);
    ELSIF code <> 'none' THEN
      RAISE EXCEPTION 'shaken' USING ERRCODE = code;
    END IF;
  END $$;
  CREATE FUNCTION shaken_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE code text := split_part(shaken_fate(), ' ', 1); before int := split_part(shaken_fate(), ' ', 2);
  BEGIN
    IF before = 0 THEN PERFORM shaken_meet(code); END IF;
    PERFORM set_config('shaken.fate', code || ' ' || before - 1, true);
    RETURN NULL;
  END $$;
  CREATE FUNCTION shaken_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE code text := split_part(shaken_fate(), ' ', 1); before int := split_part(shaken_fate(), ' ', 2);
  BEGIN
    IF before >= 0 AND code <> '57P01' THEN PERFORM shaken_meet(code); END IF;
    RETURN NULL;
  END $$`;

/**
 * Shakes a migrated database from now on.
 * @returns its address for the server, and a function that ends it
 */
export async function shake(
  databaseUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(functions);
  const { rows } = await client.query<{ table: string }>(
    "SELECT quote_ident(tablename) AS table FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { table } of rows)
    await client.query(`
      CREATE TRIGGER shaken_change AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION shaken_change();
      CREATE CONSTRAINT TRIGGER shaken_commit AFTER INSERT OR UPDATE OR DELETE ON ${table} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION shaken_commit()`);
  const over = new AbortController();
  const ending = endIdle(client, over.signal);
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return {
    url: url.href,
    stop: async () => {
      over.abort();
      await ending;
      await client.end();
    },
  };
}

/** Again and again, ends a connection that has been idle for a moment. */
async function endIdle(client: pg.Client, signal: AbortSignal): Promise<void> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1 AND state = 'idle'
      AND state_change < clock_timestamp() - interval '100 milliseconds' ORDER BY random() LIMIT 1`;
  try {
    for await (const _ of ticks(100, null, { signal })) await client.query(sql, [name]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
