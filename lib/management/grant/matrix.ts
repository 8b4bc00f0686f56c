import type { Total } from '../../store/engine/page.ts';
import { idsOf } from '../../store/engine/parameters.ts';
import { flushUsage } from '../../store/usage.ts';
import {
  type MatrixApp,
  matrixApps,
  readUsage,
  type Usage,
  usageKey,
  type Way,
} from '../../store/usage-matrix.ts';
import { type UserFilter, type UserRecord, userList } from '../../store/user-list.ts';
import { type NumberedPage, numberedPage } from '../page.ts';
import { asMeant } from '../user/people-search.ts';

export type { Way };

export const appsAtOnce = 6;

/** A part of the table of people and apps: who may use which app, and who did. */
export type Matrix = {
  people: NumberedPage<UserRecord>;
  apps: { rows: MatrixApp[]; total: Total; page: number; pages: number };
  usageOf: (person: string, app: string) => Usage;
};

export const byName = { by: 'name', direction: 'ascending' } as const;

const nothing: Usage = { way: null, allowedAt: null, usedAt: null };

/** What the table is about: one app, or all apps, or those that list their users. */
export type MatrixApps = { clientId?: string | undefined; access?: 'listed' | undefined };

/**
 * One page of people, by name, and one of apps. With a client, only this app and the people who may
 * use it.
 */
export async function readMatrix(
  typed: UserFilter,
  asked: MatrixApps,
  wanted: { people: number; apps: number },
): Promise<Matrix> {
  await flushUsage();
  const filter = { ...(await asMeant(typed)), mayUse: asked.clientId };
  const people = await numberedPage(userList, filter, { page: wanted.people, sort: byName });
  const apps = await appsAt(wanted.apps, asked);
  const usage = await readUsage(idsOf(people.rows), idsOf(apps.rows));
  const usageOf = (person: string, app: string) => usage.get(usageKey(person, app)) ?? nothing;
  return { people, apps, usageOf };
}

async function appsAt(wanted: number, asked: MatrixApps): Promise<Matrix['apps']> {
  const total = await matrixApps.count(asked);
  const pages = Math.max(1, Math.ceil(total.count / appsAtOnce));
  const page = Math.min(wanted, pages);
  const rows = await matrixApps.numbered(asked, { page, sort: byName, limit: appsAtOnce });
  return { rows, total, page, pages };
}

/** The number of apps named on a person's page. */
const named = 30;

export type UsableApps = {
  /** How many apps everyone may use. */
  open: Total;
  /** How many of the others, and the first of these, with the reason. */
  listing: Total;
  apps: readonly { id: string; name: string; way: Way }[];
};

/** The apps that someone may use now, and why; null if they are disabled. */
export async function readUsableApps(
  user: Pick<UserRecord, 'id' | 'disabledAt'>,
): Promise<UsableApps | null> {
  if (user.disabledAt) return null;
  const filter = { access: 'listed', listing: user.id, enabled: true } as const;
  const [open, listing, rows] = await Promise.all([
    matrixApps.count({ access: 'everybody', enabled: true }),
    matrixApps.count(filter),
    matrixApps.numbered(filter, { page: 1, sort: byName, limit: named }),
  ]);
  const usage = await readUsage([user.id], idsOf(rows));
  const apps = rows.flatMap(({ id, name }) => {
    const way = usage.get(usageKey(user.id, id))?.way;
    return way ? [{ id, name, way }] : [];
  });
  return { open, listing, apps };
}
