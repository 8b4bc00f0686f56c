import { listGroups } from '#lib/management/group/groups.ts';
import type { Text } from '#lib/messages/text.ts';
import { findGroup } from '#lib/store/groups.ts';
import { choiceOf, type Filter } from '../ui/table/filters.tsx';

/** As many as can be looked through. */
const most = 30;

export type GroupChoices = { id: string; name: string }[] | null;

/** All groups where they are few, or null: then they are named. */
export async function groupChoices(): Promise<GroupChoices> {
  const { rows, next } = await listGroups({ limit: most });
  return next ? null : rows.map(({ id, name }) => ({ id, name }));
}

/** Narrows a list down to members of a group: one of a few, or named where there are many. */
export function groupFilter(
  text: Text,
  query: Readonly<Record<string, string>>,
  groups: GroupChoices,
): Filter[] {
  const label = text('people.filterGroup');
  if (groups?.length === 0) return [];
  if (groups && (!query.group || groups.some(({ id }) => id === query.group))) {
    const options = groups.map(({ id, name }) => ({ value: id, label: name }));
    return [
      choiceOf('group', label, [{ value: '', label: text('people.any') }, ...options], query),
    ];
  }
  const placeholder = text('people.filterGroupHint');
  return [{ name: 'group', label, value: query.group ?? '', placeholder }];
}

/** The id of a group by name or id; of one that is not there, what was said, which finds nobody. */
export async function groupIn(said: string): Promise<string> {
  const found = await findGroup(said.slice(0, 200));
  return found && found !== 'several' ? found.id : said.slice(0, 200);
}
