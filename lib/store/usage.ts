import type { Rule } from '../oauth/facts.ts';
import { once } from '../once.ts';
import { beforeClose, write } from './engine/database.ts';
import { outsideTransaction } from './engine/transaction.ts';
import { type OneByOne, oneByOne } from './engine/write-behind.ts';

/** What is counted. */
export type UsageName =
  | 'sign-in'
  | 'sign-in-failed'
  | 'approval'
  | 'tokens-issued'
  | 'refresh'
  | 'refusal';

const hour = 3600_000;
const day = 24 * hour;
/** Stands for all clients together, in place of a client id. */
export const everyClient = '*';
/** Suffix of daily counts (UTC). */
export const byDay = '/day';
/** How often counts and last-use times are written; a killed process loses this much. */
const flushEvery = 5000;
/** How precise "last used" is, in milliseconds, so that busy token requests write nothing. */
const precision = {
  grants: 600_000,
  client_secrets: 600_000,
  registration_tokens: 600_000,
  api_keys: 600_000,
  app_passwords: 600_000,
  clients: 600_000,
  users: 0,
  /** The account of a user. It is also noted with each of the others that belongs to a user. */
  accounts: 3600_000,
} as const;
const maxRemembered = 50_000;

type Usage = {
  counts: Map<string, number>;
  /** Refusals by their rule. */
  reasons: Map<string, number>;
  /** Rows used since the last flush, with the time; and those written recently. */
  used: Map<string, Date>;
  remembered: Map<string, number>;
  timer: NodeJS.Timeout | null;
  flushes: OneByOne;
};

const usage = () =>
  once('usage', (): Usage => {
    beforeClose(flushUsage);
    return {
      counts: new Map(),
      reasons: new Map(),
      used: new Map(),
      remembered: new Map(),
      timer: null,
      flushes: oneByOne(),
    };
  });

/** Counts an event. No database access. */
export function count(name: UsageName, clientId: string | null, now: Date): void {
  const { counts } = usage();
  const key = `${now.getTime() - (now.getTime() % hour)} ${name} ${clientId ?? ''}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  flushSoon();
}

/** Counts a refusal, with its reason. No database access. */
export function countRefusal(rule: Rule, clientId: string | null, now: Date): void {
  const { reasons } = usage();
  for (const whose of [clientId ?? '', everyClient]) {
    const key = `${now.getTime() - (now.getTime() % hour)} ${rule} ${whose}`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  count('refusal', clientId, now);
}

/**
 * Records the use of a grant, a secret, a client or an account, or the sign-in of a user. No database
 * access.
 */
export function touchLastUse(table: keyof typeof precision, key: string, now: Date): void {
  const { used, remembered } = usage();
  const id = `${table} ${key}`;
  if (now.getTime() - (remembered.get(id) ?? 0) < precision[table]) return;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(id, now.getTime());
  used.set(id, now);
  flushSoon();
}

function flushSoon(): void {
  const state = usage();
  const flushLater = () => {
    state.timer = null;
    void flushUsage().catch(() => {});
  };
  state.timer ??= outsideTransaction(() => setTimeout(flushLater, flushEvery).unref());
}

const addCount = `
  INSERT INTO usage_counters (hour, name, client_id, value) VALUES (:hour, :name, :clientId, :value)
  ON CONFLICT (hour, name, client_id) DO UPDATE SET value = usage_counters.value + :value`;
const addReason = `
  INSERT INTO refusal_counters (hour, rule, client_id, value) VALUES (:hour, :name, :clientId, :value)
  ON CONFLICT (client_id, hour, rule) DO UPDATE SET value = refusal_counters.value + :value`;
const setLater = (table: string, key: string, column: string) =>
  `UPDATE ${table} SET ${column} = :at WHERE ${key} = :key AND (${column} IS NULL OR ${column} < :at)`;
const lastUsed = {
  grants: setLater('grants', 'id', 'last_used_at'),
  client_secrets: setLater('client_secrets', 'hash', 'last_used_at'),
  registration_tokens: setLater('registration_tokens', 'hash', 'last_used_at'),
  api_keys: setLater('api_keys', 'id', 'last_used_at'),
  app_passwords: setLater('app_passwords', 'id', 'last_used_at'),
  clients: setLater('clients', 'id', 'last_used_at'),
  users: setLater('users', 'id', 'last_sign_in_at'),
} satisfies Partial<Record<keyof typeof precision, string>>;

/** SQL: the user whose account was used. */
const userOf: Record<string, string> = {
  users: ':key',
  accounts: ':key',
  grants: '(SELECT user_id FROM grants WHERE id = :key)',
  app_passwords: '(SELECT user_id FROM app_passwords WHERE id = :key)',
};

/** An account that was to end because it was unused goes on. */
const accountUsed = (user: string) => `
  UPDATE users SET last_used_at = :at, end_reason = NULL,
    ends_at = CASE WHEN end_reason IS NULL THEN ends_at END, end_told_at = CASE WHEN end_reason IS NULL THEN end_told_at END
  WHERE id = ${user} AND disabled_at IS NULL AND (last_used_at IS NULL OR last_used_at < :before OR end_reason IS NOT NULL)`;

/**
 * The counts, with the sum over all clients, and each client's counts by day. So the counts of a
 * month are read from a few rows, however many clients there are.
 */
function addedUp(counts: [string, number][]): [string, number][] {
  const all = new Map(counts);
  const add = (key: string, value: number) => all.set(key, (all.get(key) ?? 0) + value);
  for (const [key, value] of counts) {
    const [at = '', name = '', clientId = ''] = key.split(' ');
    add(`${at} ${name} ${everyClient}`, value);
    if (clientId) add(`${Number(at) - (Number(at) % day)} ${name}${byDay} ${clientId}`, value);
  }
  return [...all];
}

/** Writes what was counted until now; also called at shutdown. */
export function flushUsage(): Promise<void> {
  const state = usage();
  return state.flushes(() => flush(state));
}

async function flush({ counts, reasons, used }: Usage): Promise<void> {
  const [countsNow, reasonsNow, usedNow] = [[...counts], [...reasons], [...used]];
  counts.clear();
  reasons.clear();
  used.clear();
  const add = (sql: string) => (counted: [string, number]) => {
    const [key, value] = counted;
    const [at = '', name = '', clientId = ''] = key.split(' ');
    return write(sql, { hour: new Date(Number(at)), name, clientId, value });
  };
  const writes = [...addedUp(countsNow).map(add(addCount)), ...reasonsNow.map(add(addReason))];
  for (const [id, at] of usedNow) {
    const [table = '', key = ''] = id.split(' ');
    const sql = lastUsed[table as keyof typeof lastUsed];
    if (sql) writes.push(write(sql, { key, at }));
    const before = new Date(at.getTime() - precision.accounts);
    const user = userOf[table];
    if (user) writes.push(write(accountUsed(user), { key, at, before }));
  }
  await Promise.all(writes);
}
