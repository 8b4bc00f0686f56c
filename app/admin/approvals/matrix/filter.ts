import { type Match, matchClient } from '#lib/management/candidates.ts';
import type { MatrixApps } from '#lib/management/grant/matrix.ts';
import type { UserFilter } from '#lib/store/user-list.ts';
import { groupIn } from '../../groups/filter.ts';
import { idOf } from '../../ui/match.tsx';

type Query = Readonly<Record<string, string>>;

/**
 * The people and the apps in the address of the matrix: the apps that list their users, unless it
 * asks for one app or for all.
 */
export async function readAskedOf(query: Query): Promise<{
  people: UserFilter;
  client: Match | null;
  /** Null if it is unclear which app is meant. */
  apps: MatrixApps | null;
}> {
  const typed = query.client?.trim();
  const client = typed ? await matchClient(typed) : null;
  const group = query.group?.trim();
  const people = {
    search: query.q?.slice(0, 200),
    group: group ? await groupIn(group) : undefined,
  };
  const clientId = idOf(client);
  const access = clientId === undefined && query.which !== 'all' ? 'listed' : undefined;
  return { people, client, apps: clientId === null ? null : { clientId, access } };
}
