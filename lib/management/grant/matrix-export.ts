import { idsOf } from '../../store/engine/parameters.ts';
import { flushUsage } from '../../store/usage.ts';
import { matrixApps, readUsage, usageKey } from '../../store/usage-matrix.ts';
import { type UserFilter, userList } from '../../store/user-list.ts';
import { csvLine } from '../csv.ts';
import { asMeant } from '../user/people-search.ts';
import { byName, type MatrixApps } from './matrix.ts';

/** People read at a time, and apps for each of these reads, so memory stays small. */
const peopleAtOnce = 100;
const appsAtOnce = 50;

const head = ['user_id', 'username', 'name', 'client_id', 'client_name', 'may_use', 'allowed_at'];

/** Streams who may use which app, and who did, as CSV: one line for each related person and app. */
export async function* exportMatrix(typed: UserFilter, asked: MatrixApps): AsyncGenerator<string> {
  yield csvLine([...head, 'last_used_at', 'through', 'group']);
  await flushUsage();
  const filter = { ...(await asMeant(typed)), mayUse: asked.clientId };
  const pages = Math.ceil((await matrixApps.count(asked)).count / appsAtOnce);
  for await (const people of userList.pages(filter, peopleAtOnce)) {
    for (let page = 1; page <= pages; page += 1) yield await linesOf(people, page, asked);
  }
}

type People = readonly { id: string; username: string; name: string | null }[];

async function linesOf(people: People, page: number, asked: MatrixApps): Promise<string> {
  const apps = await matrixApps.numbered(asked, { page, sort: byName, limit: appsAtOnce });
  const usage = await readUsage(idsOf(people), idsOf(apps));
  const lines = people.flatMap(({ id, username, name }) =>
    apps.map((app) => {
      const found = usage.get(usageKey(id, app.id));
      if (!found || !(found.way || found.allowedAt)) return '';
      const { way, allowedAt, usedAt } = found;
      const told = [
        String(way !== null),
        allowedAt?.toISOString() ?? null,
        usedAt?.toISOString() ?? null,
        way?.by ?? null,
        way && 'group' in way ? way.group : null,
      ];
      return csvLine([id, username, name, app.id, app.name, ...told]);
    }),
  );
  return lines.join('');
}
