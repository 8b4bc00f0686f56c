import { configurationRules } from '../oauth/facts.ts';
import { listWaiting, type WaitingRequest } from '../store/client-requests.ts';
import * as store from '../store/overview.ts';
import { readSettings } from '../store/settings.ts';
import type { UsageName } from '../store/usage.ts';
import { listUsers, type UserRecord } from '../store/user-list.ts';
import { isLooserThanProfile, listSettings, type SettingRecord } from './setting/settings.ts';

const hour = 3600_000;
const day = 24 * hour;

/** The periods of Home, and how long one bar of a chart is. */
export const periods = {
  '24h': { length: day, bar: hour },
  '7d': { length: 7 * day, bar: 6 * hour },
  '30d': { length: 30 * day, bar: day },
} as const;

export type ReasonCount = store.ReasonCount;
export type Period = keyof typeof periods;

export type Bar = { from: Date; until: Date; value: number };
export type Series = { name: UsageName; total: number; bars: Bar[] };

const shown: UsageName[] = [
  'sign-in',
  'approval',
  'tokens-issued',
  'refresh',
  'refusal',
  'sign-in-failed',
];

/** Activity in a period that ends with the current hour, in bars of equal length. */
export async function readActivity(period: Period, now: Date): Promise<Series[]> {
  const { length, bar } = periods[period];
  const end = Math.ceil((now.getTime() + 1) / hour) * hour;
  const counts = await store.countsSince(new Date(end - length));
  return shown.map((name) => {
    const bars = Array.from({ length: length / bar }, (_, index) => {
      const from = end - length + index * bar;
      return { from: new Date(from), until: new Date(from + bar), value: 0 };
    });
    for (const count of counts) {
      const at = bars[Math.floor((count.hour.getTime() - (end - length)) / bar)];
      if (at && count.name === name) at.value += count.value;
    }
    return { name, bars, total: bars.reduce((sum, { value }) => sum + value, 0) };
  });
}

/** The clients active in a period: by refused requests, then by tokens. */
export function listActive(period: Period, now: Date): Promise<store.ClientCount[]> {
  return store.activeClients({ ...sinceOf(period, now), limit: 8 });
}

const mostReasons = 10;

/** Why requests were refused in the last day and week: of one client, or of all. */
export function listReasons(now: Date, clientId: string | null = null): Promise<ReasonCount[]> {
  const since = { day: hoursAgo(24, now), week: hoursAgo(7 * 24, now) };
  return store.refusalReasons(since, clientId, mostReasons);
}

const hoursAgo = (hours: number, now: Date) =>
  new Date(now.getTime() - (now.getTime() % hour) - hours * hour);

/** Daily counts include the whole first day. */
function sinceOf(period: Period, now: Date): { since: Date; days: boolean } {
  const since = now.getTime() - periods[period].length;
  const days = period !== '24h';
  return { since: new Date(days ? since - (since % day) : since - (since % hour)), days };
}

/** The most items of a kind listed by name. */
export const named = 5;
const unusedAfter = 30 * day;
const oldAfter = 365 * day;
const failedWithin = 7 * day;

export type Attention = {
  /** Server settings looser than the profile's defaults. */
  settings: SettingRecord[];
  unusedSecrets: store.StaleSecret[];
  oldSecrets: store.StaleSecret[];
  loose: store.WeakClient[];
  failing: store.FailingClient[];
  stopped: store.LockedUser[];
  /** Users whose username has to change. */
  unfit: UserRecord[];
  /** Apps that introduced themselves and wait for approval. */
  waiting: WaitingRequest[];
};

/** Of that, what support can do something about: people who are locked out. */
export async function listLockedOut(now: Date): Promise<Attention> {
  const none = {
    settings: [],
    unusedSecrets: [],
    oldSecrets: [],
    loose: [],
    failing: [],
    unfit: [],
    waiting: [],
  };
  return { ...none, stopped: await store.lockedUsers(now, named + 1) };
}

/**
 * What needs an admin's attention. One more than is listed of each kind, to know whether there are
 * more.
 */
export async function listAttention(now: Date): Promise<Attention> {
  const limit = named + 1;
  const before = (age: number) => new Date(now.getTime() - age);
  const [settings, unusedSecrets, oldSecrets, loose, failing, stopped, unfit] = await Promise.all([
    listSettings(),
    store.staleSecrets('never-used', before(unusedAfter), limit),
    store.staleSecrets('used', before(oldAfter), limit),
    readSettings().then((inForce) => store.weakClients(inForce, limit)),
    store.failingClients(configurationRules, 'own', before(failedWithin), limit),
    store.lockedUsers(now, limit),
    listUsers({ unfit: true, limit }),
  ]);
  return {
    settings: settings.filter(isLooserThanProfile),
    unusedSecrets,
    oldSecrets,
    loose,
    failing,
    stopped,
    unfit: unfit.rows,
    waiting: (await listWaiting()).slice(0, limit),
  };
}

export type FailingClient = store.FailingClient;

/**
 * The apps in whose name anyone can have sent what was refused last: a redirect URI that is wrong, by
 * a browser where nobody, or one person alone, is signed in. That is the app, set up wrong, or
 * somebody who tried.
 */
export function listUnproved(now: Date): Promise<store.FailingClient[]> {
  const since = new Date(now.getTime() - failedWithin);
  return store.failingClients(configurationRules, 'anyone', since, named + 1);
}
