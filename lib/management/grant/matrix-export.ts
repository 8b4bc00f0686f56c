import { flushUsage } from '../../store/usage.ts';
import { countMatrixApps, listMatrixApps, readUsage, usageKey } from '../../store/usage-matrix.ts';
import { listUsers, type UserFilter } from '../../store/user-list.ts';
import { csvLine } from '../csv.ts';
import { asMeant } from '../user/people-search.ts';

/** People read at a time, and apps for each of these reads, so memory stays small. */
const peopleAtOnce = 100;
const appsAtOnce = 50;

const head = ['user_id', 'username', 'name', 'client_id', 'client_name'];

/** Streams who may use which app, and who did, as CSV: one line for each related person and app. */
export async function* exportMatrix(
  typed: UserFilter,
  clientId: string | undefined,
): AsyncGenerator<string> {
  yield csvLine([...head, 'may_use', 'allowed_at', 'last_used_at']);
  await flushUsage();
  const filter = { ...(await asMeant(typed)), mayUse: clientId };
  const pages = Math.ceil((await countMatrixApps(clientId)).count / appsAtOnce);
  for (let cursor: string | undefined, more = true; more; ) {
    const { rows: people, next } = await listUsers({ ...filter, cursor, limit: peopleAtOnce });
    for (let page = 1; page <= pages; page += 1) yield await linesOf(people, page, clientId);
    cursor = next ?? undefined;
    more = cursor !== undefined;
  }
}

type People = readonly { id: string; username: string; name: string | null }[];

async function linesOf(people: People, page: number, clientId?: string): Promise<string> {
  const apps = await listMatrixApps(page, appsAtOnce, clientId);
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const usage = await readUsage(ids(people), ids(apps));
  const lines = people.flatMap(({ id, username, name }) =>
    apps.map((app) => {
      const found = usage.get(usageKey(id, app.id));
      if (!found || !(found.may || found.allowedAt)) return '';
      const { may, allowedAt, usedAt } = found;
      const told = [String(may), allowedAt?.toISOString() ?? null, usedAt?.toISOString() ?? null];
      return csvLine([id, username, name, app.id, app.name, ...told]);
    }),
  );
  return lines.join('');
}
