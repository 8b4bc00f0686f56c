import { type Match, matchClient } from '#lib/management/candidates.ts';
import type { UserFilter } from '#lib/store/user-list.ts';
import { groupIn } from '../../groups/filter.ts';
import { idOf } from '../../ui/match.tsx';

type Query = Readonly<Record<string, string>>;

/**
 * The people and the app in the address of the matrix; `clientId` is null if the app is unclear.
 */
export async function readAskedOf(
  query: Query,
): Promise<{ people: UserFilter; client: Match | null; clientId: string | null | undefined }> {
  const typed = query.client?.trim();
  const client = typed ? await matchClient(typed) : null;
  const group = query.group?.trim();
  const people = {
    search: query.q?.slice(0, 200),
    group: group ? await groupIn(group) : undefined,
  };
  return { people, client, clientId: idOf(client) };
}
