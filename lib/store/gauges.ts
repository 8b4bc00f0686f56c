import { tables } from '#prisma/generated/tables.ts';
import { once } from '../once.ts';
import { database, read } from './engine/database.ts';

/**
 * Beyond this number a table is just reported as large, because counting all of it would hold up
 * requests.
 */
const countedRows = 100_000;
/** Milliseconds for which a count is good enough. */
const freshFor = 60_000;
const waitingIn = ['outgoing_mails', 'logout_deliveries'] as const;

/** How much is in the database, for monitoring. */
export type Gauges = {
  /** Rows by table, at most `countedRows` each. */
  rows: Record<string, number>;
  /** What is due and has not been done, by queue. */
  waiting: Record<string, number>;
};

type Held = { at: number; gauges: Promise<Gauges> | null };
const held = () => once('gauges', (): Held => ({ at: 0, gauges: null }));

/** Counts at most once a minute, however often it is called. */
export function readGauges(now: Date): Promise<Gauges> {
  const state = held();
  if (!state.gauges || now.getTime() - state.at > freshFor) {
    state.at = now.getTime();
    state.gauges = count(now);
    state.gauges.catch(() => {
      state.gauges = null;
    });
  }
  return state.gauges;
}

async function count(now: Date): Promise<Gauges> {
  const rows: Record<string, number> = {};
  for (const name of Object.keys(tables)) {
    rows[name] = await countIn(name, '', {});
    // SQLite answers synchronously, so other work of the process gets its turn between two tables.
    if (database().kind === 'sqlite') await new Promise((resume) => setImmediate(resume));
  }
  const waiting: Record<string, number> = {};
  for (const name of waitingIn)
    waiting[name] = await countIn(name, 'WHERE next_at <= :now', { now });
  return { rows, waiting };
}

async function countIn(
  table: string,
  where: string,
  params: Record<string, Date>,
): Promise<number> {
  const sql = `SELECT count(*) AS found FROM (SELECT 1 AS one FROM ${table} ${where} LIMIT ${countedRows}) AS few`;
  const [row] = await read<{ found: number }>(sql, params);
  return Number(row?.found ?? 0);
}
