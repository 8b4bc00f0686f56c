import { database, read } from '#lib/store/engine/database.ts';
import type { Row, SqlParams } from '#lib/store/engine/statement.ts';

type Query = { sql: string; params: SqlParams };

/**
 * Tables that grow with the number of people and tokens. There are few enough clients to scan that
 * table.
 */
const growing = new Set([
  'users',
  'grants',
  'authorizations',
  'sessions',
  'audit_events',
  'usage_counters',
  'group_members',
]);

/** The reading statements that some work runs on the fast connection. */
export async function recordQueries(work: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const db = database();
  if (db.kind === 'sqlite') {
    const all = db.all.bind(db);
    db.all = (sql, params) => {
      queries.push({ sql, params });
      return all(sql, params);
    };
  } else {
    const run = db.read.bind(db);
    db.read = (sql, params, ...how) => {
      queries.push({ sql, params });
      return run(sql, params, ...how);
    };
  }
  await work();
  Reflect.deleteProperty(db, db.kind === 'sqlite' ? 'all' : 'read');
  return queries;
}

/** The growing tables that these queries scan from end to end, according to the database's plan. */
export async function largeTablesScanned(queries: Query[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { sql, params } of queries) {
    const plan =
      database().kind === 'sqlite'
        ? await sqliteScans(sql, params)
        : await postgresScans(sql, params);
    for (const table of plan) if (growing.has(table)) found.add(table);
  }
  return [...found];
}

/** The plan shows aliases; the statement says which table each one stands for. */
async function sqliteScans(sql: string, params: SqlParams): Promise<string[]> {
  const rows = await read(`EXPLAIN QUERY PLAN ${sql}`, params);
  return rows.flatMap(({ detail }) => {
    const name = /^SCAN (\w+)(?! USING)/.exec(String(detail))?.[1];
    if (!name || / USING /.test(String(detail))) return [];
    return [new RegExp(`\\b(\\w+) (?:AS )?${name}\\b`).exec(sql)?.[1] ?? name, name];
  });
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

async function postgresScans(sql: string, params: SqlParams): Promise<string[]> {
  const [row] = await read(`EXPLAIN (FORMAT JSON) ${sql}`, params);
  const scans = (plan: Plan): string[] => [
    ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
    ...(plan.Plans ?? []).flatMap(scans),
  ];
  return (Object.values(row as Row)[0] as { Plan: Plan }[]).flatMap(({ Plan: plan }) =>
    scans(plan),
  );
}
