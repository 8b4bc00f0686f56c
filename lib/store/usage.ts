import { once } from '../once.ts';
import { beforeClose, write } from './database.ts';

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
/** In place of a client id: the sum of all clients. */
export const everyClient = '*';
/** Suffix of daily counts (UTC). */
export const byDay = '/day';
/** How often counts and last-use times are written; a killed process loses this much. */
const flushEvery = 5000;
/** The precision of "last used", so that a busy token path writes nothing. */
const usePrecision = 600_000;
const maxRemembered = 50_000;

type Usage = {
  counts: Map<string, number>;
  /** Rows used since the last flush, with the time; and recently written ones. */
  used: Map<string, Date>;
  remembered: Map<string, number>;
  timer: NodeJS.Timeout | null;
};

const usage = () =>
  once('usage', (): Usage => {
    beforeClose(flushUsage);
    return { counts: new Map(), used: new Map(), remembered: new Map(), timer: null };
  });

/** Counts an event. No database access. */
export function count(name: UsageName, clientId: string | null, now: Date): void {
  const { counts } = usage();
  const key = `${now.getTime() - (now.getTime() % hour)} ${name} ${clientId ?? ''}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  flushSoon();
}

/** Records the use of a grant or client secret. No database access. */
export function touchLastUse(table: 'grants' | 'client_secrets', key: string, now: Date): void {
  const { used, remembered } = usage();
  const id = `${table} ${key}`;
  if (now.getTime() - (remembered.get(id) ?? 0) < usePrecision) return;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(id, now.getTime());
  used.set(id, now);
  flushSoon();
}

function flushSoon(): void {
  const state = usage();
  state.timer ??= setTimeout(() => {
    state.timer = null;
    void flushUsage().catch(() => {});
  }, flushEvery).unref();
}

const addCount = `
  INSERT INTO usage_counters (hour, name, client_id, value) VALUES ($1, $2, $3, $4)
  ON CONFLICT (hour, name, client_id) DO UPDATE SET value = usage_counters.value + $4`;
const lastUsed = {
  grants:
    'UPDATE grants SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)',
  client_secrets:
    'UPDATE client_secrets SET last_used_at = $2 WHERE hash = $1 AND (last_used_at IS NULL OR last_used_at < $2)',
};

/**
 * The counts, the sum over all clients beside them, and those of each client by day: what happened
 * in a month is read from a few rows, however many clients there are.
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

/** Flushes the counts; also at shutdown. */
export async function flushUsage(): Promise<void> {
  const { counts, used } = usage();
  const [countsNow, usedNow] = [[...counts], [...used]];
  counts.clear();
  used.clear();
  const writes = addedUp(countsNow).map(([key, value]) => {
    const [at = '', name = '', clientId = ''] = key.split(' ');
    return write(addCount, [new Date(Number(at)), name, clientId, value], 'adds');
  });
  for (const [id, at] of usedNow) {
    const [table = '', key = ''] = id.split(' ');
    writes.push(write(lastUsed[table as keyof typeof lastUsed], [key, at], 'adds'));
  }
  await Promise.all(writes);
}
