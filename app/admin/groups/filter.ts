import { listGroups } from '#lib/management/group/groups.ts';
import type { Text } from '#lib/messages/text.ts';
import { findGroup } from '#lib/store/groups.ts';
import { type Choice, choiceOf, type Filter } from '../ui/table/filters.tsx';

/** The maximum number of groups that people can look through. */
const most = 30;

export type GroupChoices = { id: string; name: string }[] | null;

/** All groups if there are few; null if there are many, which are then found by name. */
export async function groupChoices(): Promise<GroupChoices> {
  const { rows, next } = await listGroups({ limit: most });
  return next ? null : rows.map(({ id, name }) => ({ id, name }));
}

/** Limits a list to members of a group: one of a few to choose from, or named if there are many. */
export function groupFilter(
  text: Text,
  query: Readonly<Record<string, string>>,
  groups: GroupChoices,
): Filter[] {
  const label = text('people.filterGroup');
  if (groups?.length === 0) return [];
  if (groups && (!query.group || groups.some(({ id }) => id === query.group))) {
    const choices = groups.map(({ id, name }): Choice => [id, name]);
    return [choiceOf(query, 'group', label, [['', text('people.any')], ...choices])];
  }
  const placeholder = text('people.filterGroupHint');
  return [{ name: 'group', label, value: query.group ?? '', placeholder }];
}

/**
 * The ID of a group given by name or ID. If there is no such group, the text itself, which finds no
 * one.
 */
export async function groupIn(said: string): Promise<string> {
  const found = await findGroup(said.slice(0, 200));
  return found && found !== 'several' ? found.id : said.slice(0, 200);
}
