import { readFilter } from '#lib/management/grant/filter.ts';
import type { GrantFilter } from '#lib/management/grant/grants.ts';
import type { Text } from '#lib/messages/text.ts';
import { type GroupChoices, groupFilter, groupIn } from '../groups/filter.ts';
import { idOf, type Meant, meantIn, namedIn } from '../ui/match.tsx';
import { choiceOf, type Filter } from '../ui/table/filters.tsx';

type Query = Readonly<Record<string, string>>;

/** When an approval was last used: the conditions, by their value in the address. */
const used = new Map([
  ['days30', { used_within: '30 days' }],
  ['not90', { not_used_for: '90 days' }],
]);

/**
 * Reads the address of the list: the filter, and the person and app it names. `filter` is null if
 * those are unclear.
 */
export async function readApprovals(
  query: Query,
  now: Date,
): Promise<{ filter: GrantFilter | null; meant: Meant }> {
  const meant = await meantIn(query);
  const [user, app] = [idOf(meant.person), idOf(meant.client)];
  if (user === null || app === null) return { filter: null, meant };
  const group = query.group?.trim();
  const said = {
    user,
    client: app,
    member_of: group ? await groupIn(group) : undefined,
    ...used.get(query.used ?? ''),
  };
  return { filter: readFilter(said, now), meant };
}

export function filtersOf(text: Text, query: Query, meant: Meant, groups: GroupChoices): Filter[] {
  return [
    {
      name: 'person',
      label: text('approvals.person'),
      placeholder: text('approvals.personHint'),
      ...namedIn(query, 'person', meant),
    },
    {
      name: 'client',
      label: text('approvals.client'),
      placeholder: text('approvals.clientHint'),
      ...namedIn(query, 'client', meant),
    },
    ...groupFilter(text, query, groups),
    choiceOf(query, 'used', text('approvals.columnLast'), [
      ['', text('approvals.usedAny')],
      ['days30', text('approvals.usedIn30')],
      ['not90', text('approvals.unusedFor90')],
    ]),
  ];
}
