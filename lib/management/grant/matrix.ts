import type { Total } from '../../store/engine/page.ts';
import { flushUsage } from '../../store/usage.ts';
import {
  countMatrixApps,
  listMatrixApps,
  type MatrixApp,
  readUsage,
  type Usage,
  usageKey,
} from '../../store/usage-matrix.ts';
import {
  countUsers,
  listUsersBy,
  type UserFilter,
  type UserRecord,
} from '../../store/user-list.ts';
import { type NumberedPage, numberedPage } from '../page.ts';
import { asMeant } from '../user/people-search.ts';

/** The number of apps side by side. */
export const appsAtOnce = 6;

/** A part of the table of people and apps: who may use which app, and who did. */
export type Matrix = {
  people: NumberedPage<UserRecord>;
  apps: { rows: MatrixApp[]; total: Total; page: number; pages: number };
  usageOf: (person: string, app: string) => Usage;
};

const nothing: Usage = { may: false, allowedAt: null, usedAt: null };

/**
 * One page of people, by name, and one of apps. With a client, only this app and the people who may
 * use it.
 */
export async function readMatrix(
  typed: UserFilter,
  clientId: string | undefined,
  wanted: { people: number; apps: number },
): Promise<Matrix> {
  await flushUsage();
  const filter = { ...(await asMeant(typed)), mayUse: clientId };
  const sort = { by: 'name', direction: 'ascending' } as const;
  const people = await numberedPage(await countUsers(filter), wanted.people, (page) =>
    listUsersBy(filter, { page, sort }),
  );
  const apps = await appsAt(wanted.apps, clientId);
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const usage = await readUsage(ids(people.rows), ids(apps.rows));
  const usageOf = (person: string, app: string) => usage.get(usageKey(person, app)) ?? nothing;
  return { people, apps, usageOf };
}

async function appsAt(wanted: number, clientId: string | undefined): Promise<Matrix['apps']> {
  const total = await countMatrixApps(clientId);
  const pages = Math.max(1, Math.ceil(total.count / appsAtOnce));
  const page = Math.min(wanted, pages);
  return { rows: await listMatrixApps(page, appsAtOnce, clientId), total, page, pages };
}
