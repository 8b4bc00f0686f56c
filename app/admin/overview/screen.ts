import { unreadableForwards, untrustedProxies } from '#lib/http/address.ts';
import type { PageRequest } from '#lib/http/message.ts';
import { readHome } from '#lib/management/home.ts';
import {
  listActive,
  listAttention,
  listReasons,
  type Period,
  periods,
  type Troubles,
} from '#lib/management/overview.ts';
import { readSignIns } from '#lib/management/sign-in-activity.ts';

export const knownPeriods = Object.keys(periods) as Period[];

/** What the home page shows to users who may see everything. */
export async function readHomeScreen(
  request: PageRequest,
  user: { hasFactor: boolean },
  { period, zone, troubles }: { period: Period; zone: string; troubles: Troubles },
  now: Date,
) {
  const proxies = [...untrustedProxies()];
  const [unreadable] = unreadableForwards();
  const home = await readHome(request, user, now);
  const attention = await listAttention(now, troubles);
  const atWork = home.hasSignIn ? await readAtWork(period, zone, now) : null;
  return { proxies, unreadable, home, attention, atWork };
}

async function readAtWork(period: Period, zone: string, now: Date) {
  const [signIns, clients, reasons] = await Promise.all([
    readSignIns(period, zone, now),
    listActive(period, now),
    listReasons(now),
  ]);
  return { signIns, clients, reasons };
}

export type HomeScreen = Awaited<ReturnType<typeof readHomeScreen>>;
