import { setTimeout as pause } from 'node:timers/promises';
import type { Rows } from '#prisma/generated/rows.ts';
import { write } from './engine/database.ts';
import { readSettings } from './settings.ts';
import { reservedFor } from './usernames.ts';
import { endGrantsInTime } from './withdrawals.ts';

const batch = 500;
/**
 * After a batch, other work has the database for this many times as long as the batch took, and at
 * most for this many milliseconds.
 */
const pauses = 3;
const longestPause = 1000;
/**
 * Milliseconds that one rule has in a round, so that even a year of events that are no longer
 * wanted holds up nothing else.
 */
const longest = 5000;
const day = 24 * 3600_000;

type Rule = {
  /** The columns that identify a row. */
  key: string;
  column: string;
  age: number;
  unless?: string;
  /** How many are deleted at once, for rows that take others along with them. */
  most?: number;
};
type RuleOf = Rule & { table: keyof Rows };

/**
 * When the rows of a table go: by rules, with the row of another table that they belong to, only
 * when someone deletes them (`stays`), or as this file says elsewhere (`below`).
 */
type Going = Rule | readonly Rule[] | `with ${keyof Rows}` | 'stays' | 'below';

const decided = 'decision IS NOT NULL';
const factorTries = "key LIKE 'factor:%'";
const throttleKept = `(blocks > 0 OR ${factorTries})`;
const byWindow = { key: 'key', column: 'window_start' };

/** The answer of every table: one that has none does not compile. */
const goings: Record<keyof Rows, Going> = {
  users: 'stays',
  user_groups: 'stays',
  group_members: 'with users',
  posix_numbers: 'stays',
  user_fields: 'stays',
  user_field_values: 'with users',
  former_usernames: { key: 'username_key', column: 'given_up_at', age: reservedFor },
  user_pictures: 'with users',
  totp_secrets: 'with users',
  passkeys: 'with users',
  recovery_codes: 'with users',
  spent_values: { key: 'hash', column: 'expires_at', age: 0 },
  sessions: { key: 'hash', column: 'expires_at', age: 0 },
  remembered_devices: { key: 'id', column: 'expires_at', age: 0 },
  // Kept a while longer, so that people see which one has ended.
  app_passwords: { key: 'hash', column: 'expires_at', age: 30 * day },
  providers: 'stays',
  provider_groups: 'with providers',
  identities: 'with users',
  directory_people: 'with users',
  directory_syncs: 'stays',
  clients: 'stays',
  client_introductions: 'with clients',
  // An admin's decision remains.
  client_requests: { key: 'client_id', column: 'asked_at', age: 30 * day, unless: decided },
  blocked_hosts: 'stays',
  registration_tokens: { key: 'hash', column: 'expires_at', age: 30 * day },
  api_keys: { key: 'hash', column: 'expires_at', age: 30 * day },
  kept_answers: { key: 'hash', column: 'expires_at', age: 0 },
  batches: { key: 'id', column: 'finished_at', age: 30 * day, most: 1 },
  batch_items: 'with batches',
  deletions: 'below',
  deleted_rows: 'with deletions',
  import_drafts: { key: 'id', column: 'created_at', age: day },
  apis: 'stays',
  api_scopes: 'with apis',
  api_clients: 'with apis',
  // Kept a while longer, so that a device that is late is told why.
  device_authorizations: { key: 'id', column: 'expires_at', age: day / 144 },
  client_addresses: 'with clients',
  client_contacts: 'with clients',
  client_groups: 'with clients',
  client_users: 'with clients',
  client_logos: 'with clients',
  client_secrets: 'with clients',
  scopes: 'stays',
  terms: 'stays',
  terms_answers: 'with users',
  grants: 'below',
  authorizations: { key: 'id', column: 'keep_until', age: 0 },
  token_keys: 'stays',
  pairwise_keys: 'stays',
  signing_keys: 'stays',
  // Those that were given up: the others are tried for hours.
  logout_deliveries: { key: 'session_hash, client_id', column: 'failed_at', age: 30 * day },
  mailed_links: { key: 'hash', column: 'expires_at', age: day },
  outgoing_mails: { key: 'id', column: 'expires_at', age: 0 },
  settings: 'stays',
  file_owned: 'stays',
  brand_logo: 'stays',
  revision: 'stays',
  set_up_links: { key: 'hash', column: 'expires_at', age: 0 },
  operator_settings: 'stays',
  // Once its window is over, a count only says how often it was full, and for second factors how
  // many tries there were in all.
  throttles: [
    { ...byWindow, age: day / 96, unless: throttleKept },
    { ...byWindow, age: day, unless: factorTries },
    { ...byWindow, age: 90 * day },
  ],
  usage_counters: { key: 'hour, name, client_id', column: 'hour', age: 100 * day },
  refusal_counters: { key: 'client_id, hour, rule', column: 'hour', age: 8 * day },
  traces: 'below',
  trace_steps: 'with traces',
  audit_events: 'below',
  // Leases also record what admins were told; 30 days cover the last digest, even if a process is
  // slow.
  leases: { key: 'name', column: 'expires_at', age: 30 * day },
};

const rules: RuleOf[] = (Object.keys(goings) as (keyof Rows)[]).flatMap((table) => {
  const going = goings[table];
  return typeof going === 'string' ? [] : [going].flat().map((rule) => ({ ...rule, table }));
});

/** The tables whose rows go with those of another one, and that one's name. */
export const goesWith: ReadonlyMap<string, string> = new Map(
  Object.entries(goings).flatMap(([table, going]) =>
    typeof going === 'string' && going.startsWith('with ') ? [[table, going.slice(5)]] : [],
  ),
);

/**
 * Deletes expired rows in small batches with pauses, so that no request waits long. If there are
 * very many, the next round continues. Returns the number of rows.
 * @param most milliseconds for each rule
 * @throws AggregateError after all rules were tried, with the errors of those that failed
 */
export async function deleteExpired(now: Date, most = longest): Promise<number> {
  const deleteBy = (rule: RuleOf) => inBatches(rule, new Date(now.getTime() - rule.age), most);
  return sumOf([
    // This comes first, because it keeps their requests as answered.
    () => endGrantsInTime(now),
    ...rules.map((rule) => () => deleteBy(rule)),
    async () => sumOf((await keptBySetting()).map((rule) => () => deleteBy(rule))),
  ]);
}

/** The sum of what the steps return. @throws AggregateError if some failed, once all were tried */
async function sumOf(steps: readonly (() => Promise<number>)[]): Promise<number> {
  const failures: unknown[] = [];
  let sum = 0;
  for (const step of steps)
    sum += await step().catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  if (failures.length === 0) return sum;
  throw new AggregateError(failures, `${failures.length} of ${steps.length} steps failed`);
}

/** The audit log, the traces and what was deleted are kept for as long as their settings say. */
async function keptBySetting(): Promise<RuleOf[]> {
  const {
    auditRetentionDays: audit,
    traceRetentionDays,
    deletedRetentionDays,
  } = await readSettings();
  const kept: RuleOf[] = [
    { table: 'traces', key: 'id', column: 'last_at', age: traceRetentionDays * day },
    {
      table: 'deletions',
      key: 'id',
      column: 'deleted_at',
      age: deletedRetentionDays * day,
      most: 1,
    },
  ];
  return audit === 0
    ? kept
    : [...kept, { table: 'audit_events', key: 'id', column: 'at', age: audit * day }];
}

/**
 * Starts with the oldest and moves on, so that deleted rows are skipped once, and not again by each
 * batch.
 */
async function inBatches(rule: RuleOf, before: Date, longest: number): Promise<number> {
  const { table, key, column, unless, most = batch } = rule;
  const which = `${column} >= :from AND ${column} < :before${unless ? ` AND NOT ${unless}` : ''}`;
  const oldest = `SELECT ${key} FROM ${table} WHERE ${which} ORDER BY ${column} LIMIT ${most}`;
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (${oldest}) RETURNING ${column}`;
  const began = performance.now();
  let [total, from] = [0, new Date(0)];
  for (;;) {
    const asked = performance.now();
    const rows = await write(sql, { from, before });
    total += rows.length;
    const took = performance.now() - asked;
    if (rows.length < most || performance.now() - began > longest) return total;
    from = new Date(Math.max(...rows.flatMap(Object.values).map(Number)));
    await pause(Math.min(took * pauses, longestPause));
  }
}
