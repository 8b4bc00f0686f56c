import { configurationRules, type Rule } from '../oauth/facts.ts';
import { listWaiting, type WaitingRequest } from '../store/client-requests.ts';
import { type FailedLogout, failedLogouts } from '../store/logout-deliveries.ts';
import * as store from '../store/overview.ts';
import { readSettings } from '../store/settings.ts';
import { type UserRecord, userList } from '../store/user-list.ts';
import { isLooserThanProfile, listSettings, type SettingRecord } from './setting/settings.ts';

const hour = 3600_000;
const day = 24 * hour;

/** The periods that Home offers. */
export const periods = { '24h': day, '7d': 7 * day, '30d': 30 * day } as const;

export type ReasonCount = store.ReasonCount;
export type Period = keyof typeof periods;

/** An active client: what it did, with the bars of a small chart, and its latest attempt. */
export type ActiveClient = store.ClientCount & {
  tokens: number[];
  lastAt: Date | null;
  /** Why the latest attempt was refused, or null. */
  rule: Rule | null;
};

/** The clients active in a period: by refused requests, then by tokens. */
export async function listActive(period: Period, now: Date): Promise<ActiveClient[]> {
  const within = sinceOf(period, now);
  const clients = await store.activeClients({ ...within, limit: 8 });
  const ids = clients.map(({ id }) => id);
  const [tokens, latest] = await Promise.all([
    store.tokensOfClients(ids, within),
    store.latestAttempts(ids),
  ]);
  const bar = within.days ? day : hour;
  const first = Math.floor(within.since.getTime() / bar);
  return clients.map((client) => {
    const counts = Array<number>(Math.floor(now.getTime() / bar) - first + 1).fill(0);
    for (const { clientId, hour: at, value } of tokens) {
      const index = Math.floor(at.getTime() / bar) - first;
      if (clientId === client.id && index in counts) counts[index] = value;
    }
    const { lastAt = null, rule = null } = latest.find(({ id }) => id === client.id) ?? {};
    return { ...client, tokens: counts, lastAt, rule };
  });
}

const mostReasons = 10;

/** Why requests were refused in the last day and week, for one client or for all. */
export function listReasons(now: Date, clientId: string | null = null): Promise<ReasonCount[]> {
  const since = { day: hoursAgo(24, now), week: hoursAgo(7 * 24, now) };
  return store.refusalReasons(since, clientId, mostReasons);
}

const hoursAgo = (hours: number, now: Date) =>
  new Date(now.getTime() - (now.getTime() % hour) - hours * hour);

/** Daily counts start with the whole first day. */
function sinceOf(period: Period, now: Date): { since: Date; days: boolean } {
  const since = now.getTime() - periods[period];
  const days = period !== '24h';
  return { since: new Date(days ? since - (since % day) : since - (since % hour)), days };
}

/** The maximum number of items of a kind that Home lists by name, and that it counts. */
export const named = 5;
export const mostCounted = 1000;
/** One more, to tell whether there are more. */
const limit = mostCounted + 1;
const unusedAfter = 30 * day;
const oldAfter = 365 * day;
const failedWithin = 7 * day;

export type Attention = {
  /** Server settings looser than the profile's defaults. */
  settings: SettingRecord[];
  /** Apps with a secret that was made long ago and never used, and with one long in use. */
  unused: store.StaleSecret[];
  old: store.StaleSecret[];
  loose: store.WeakClient[];
  failing: store.FailingClient[];
  /** Apps with refused requests that anyone could have sent in their name, which is no alarm. */
  unproved: store.FailingClient[];
  stopped: store.LockedUser[];
  /** Users whose username has to change. */
  unfit: UserRecord[];
  /** Apps that sign-outs do not reach. */
  logouts: FailedLogout[];
  /** Apps that registered themselves and wait for approval. */
  waiting: WaitingRequest[];
};

/** The part of it that support can help with: people who are locked out. */
export async function listLockedOut(now: Date): Promise<Attention> {
  const none = {
    settings: [],
    unused: [],
    old: [],
    unproved: [],
    loose: [],
    failing: [],
    unfit: [],
    logouts: [],
    waiting: [],
  };
  return { ...none, stopped: await store.lockedUsers(now, limit) };
}

/** What every page of the dashboard counts, and Home lists by name. */
export type Troubles = Pick<Attention, 'failing' | 'waiting'>;

export const appTroubles = ['failing', 'unproved', 'logouts', 'loose', 'unused', 'old'] as const;
export type AppTrouble = (typeof appTroubles)[number];

/**
 * Reads the apps with each trouble. 'unproved': their latest refusals could have been caused by
 * anyone, by a wrong redirect URI from a browser in which no one, or only one person, was signed in.
 * Either the app is set up wrongly, or someone was trying things out.
 */
const troubled = {
  failing: (now: Date) =>
    store.failingClients(configurationRules, 'own', before(now, failedWithin), limit),
  unproved: (now: Date) =>
    store.failingClients(configurationRules, 'anyone', before(now, failedWithin), limit),
  logouts: () => failedLogouts(limit),
  loose: async () => store.weakClients(await readSettings(), limit),
  unused: (now: Date) => store.staleSecrets('never-used', before(now, unusedAfter), limit),
  old: (now: Date) => store.staleSecrets('used', before(now, oldAfter), limit),
};

const before = (now: Date, age: number) => new Date(now.getTime() - age);

/** The IDs of the apps that Home counts for a trouble. Apps that certainly fail count as that. */
export async function listTroubled(trouble: AppTrouble, now: Date): Promise<string[]> {
  const ids = (await troubled[trouble](now)).map(({ id }) => id);
  if (trouble !== 'unproved') return ids;
  const failing = new Set(await listTroubled('failing', now));
  return ids.filter((id) => !failing.has(id));
}

/** The failing apps, and all apps that wait for approval. */
export async function listTroubles(now: Date): Promise<Troubles> {
  const [failing, waiting] = await Promise.all([troubled.failing(now), listWaiting()]);
  return { failing, waiting };
}

/**
 * What needs an admin's attention, including the troubles that were already read for the page. One
 * more of each kind than is counted, to tell whether there are more.
 */
export async function listAttention(now: Date, troubles: Troubles): Promise<Attention> {
  const [settings, unproved, unused, old, loose, stopped, unfit, logouts] = await Promise.all([
    listSettings(),
    troubled.unproved(now),
    troubled.unused(now),
    troubled.old(now),
    troubled.loose(),
    store.lockedUsers(now, limit),
    userList.page({ unfit: true, limit }),
    troubled.logouts(),
  ]);
  const isFailing = new Set(troubles.failing.map(({ id }) => id));
  return {
    settings: settings.filter(isLooserThanProfile),
    unused,
    old,
    loose,
    failing: troubles.failing,
    unproved: unproved.filter(({ id }) => !isFailing.has(id)),
    stopped,
    unfit: unfit.rows,
    logouts,
    waiting: troubles.waiting,
  };
}

/** How sign-outs last failed to reach an app; null if they reach it. */
export async function readFailedLogout(clientId: string): Promise<FailedLogout | null> {
  return (await failedLogouts(1, clientId))[0] ?? null;
}

export type FailingClient = store.FailingClient;
