import { config } from '../config.ts';
import { networksOf, type Sender } from '../http/network.ts';
import { once } from '../once.ts';
import { takeTries } from '../store/throttles.ts';

/*
 * People who are not signed in can make this server fetch documents. These limits keep them from
 * using it to flood other hosts, or from keeping it from its work: per network of the requester,
 * per host that is called, and in total. Addresses named by admins have a budget of their own, so
 * that strangers can't keep the admins' clients from proving their identity.
 */

/** Who named the address that is read, and the prefix of its counters in the database. */
const budgets = { strangers: 'client-documents', admins: 'key-sets' } as const;
export type Budget = keyof typeof budgets;

/** Fetches running at the same time, across all workers of a server: in total, and to one host. */
const most = { inAll: 12, ofHost: 4 };
/** Fetches in fifteen minutes for one customer network, across all servers. */
export const mostForNetwork = 60;
/** Fetches in a minute: in total, and to one host. */
const mostLately = { inAll: 300, ofHost: 30 };
const minute = 60_000;

type Traffic = { running: Map<string, number>; lately: Map<string, number>; since: number };

const idle = (): Traffic => ({ running: new Map(), lately: new Map(), since: 0 });
const traffic = () =>
  once(
    'client-document-fetches',
    (): Record<Budget, Traffic> => ({ strangers: idle(), admins: idle() }),
  );

/** A place for one fetch, or until when its network has to wait; null if no place is free. */
type Place = { giveBack: () => void } | { refusedUntil: Date } | null;

/** A sender over its own limit takes none of the host's places, which all share. */
export async function reserveFetch(
  host: string,
  sender: Sender,
  now: Date,
  budget: Budget = 'strangers',
): Promise<Place> {
  const counted = networksOf(sender).map(({ network, share }) => ({
    key: `${budgets[budget]}:${network}`,
    limit: mostForNetwork * share,
  }));
  const tried = await takeTries(counted, now);
  if ('refusedUntil' in tried) return { refusedUntil: tried.refusedUntil };
  const giveBack = takeFree(traffic()[budget], host, now);
  return giveBack && { giveBack };
}

function takeFree(state: Traffic, host: string, now: Date): (() => void) | null {
  const { running, lately } = state;
  if (now.getTime() - state.since >= minute) {
    lately.clear();
    state.since = now.getTime();
  }
  const share = (limit: number) => Math.ceil(limit / config().workers);
  const ofHost = running.get(host) ?? 0;
  const soFar = lately.get(host) ?? 0;
  if (sumOf(running) >= share(most.inAll) || sumOf(lately) >= share(mostLately.inAll)) return null;
  if (ofHost >= share(most.ofHost) || soFar >= share(mostLately.ofHost)) return null;
  running.set(host, ofHost + 1);
  lately.set(host, soFar + 1);
  return () => {
    const left = (running.get(host) ?? 1) - 1;
    if (left > 0) running.set(host, left);
    else running.delete(host);
  };
}

const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
