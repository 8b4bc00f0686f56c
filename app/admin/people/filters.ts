import { directories } from '#lib/identity/directory/configured.ts';
import type { Text } from '#lib/messages/text.ts';
import { roles } from '#lib/people/roles.ts';
import { type GroupChoices, groupFilter } from '../groups/filter.ts';
import { choiceOf, type Filter } from '../ui/table/filters.tsx';

type Query = Readonly<Record<string, string>>;

/** The filters of the list of people. If there are many groups, a group is found by name. */
export function filtersOf(text: Text, query: Query, groups: GroupChoices): Filter[] {
  return [
    ...groupFilter(text, query, groups),
    ...directoryFilter(text, query),
    choiceOf(
      'state',
      text('people.filterState'),
      [
        option('', text('people.all')),
        option('enabled', text('people.enabled')),
        option('locked', text('people.locked')),
        option('unfit', text('people.unfit')),
        option('disabled', text('people.disabled')),
      ],
      query,
    ),
    choiceOf(
      'role',
      text('people.filterRole'),
      [
        option('', text('people.all')),
        ...roles.map((role) => option(role, text(`people.roleFilter.${role}`))),
      ],
      query,
    ),
    choiceOf(
      'quiet',
      text('people.filterSignIn'),
      [
        option('', text('people.any')),
        option('never', text('people.quiet.never')),
        option('days30', text('people.quiet.days30')),
        option('days90', text('people.quiet.days90')),
      ],
      query,
    ),
    choiceOf(
      'step',
      text('people.filterStep'),
      [
        option('', text('people.any')),
        option('with', text('people.stepWith')),
        option('without', text('people.stepWithout')),
        option('required', text('people.stepRequired')),
      ],
      query,
    ),
  ];
}

/** Filters by the directory that has a person's password, if there are directories. */
function directoryFilter(text: Text, query: Query): Filter[] {
  const all = directories();
  if (all.length === 0) return [];
  const options = all.map(({ id, name }) => option(id, name));
  const label = text('people.filterDirectory');
  return [choiceOf('directory', label, [option('', text('people.all')), ...options], query)];
}

const option = (value: string, label: string) => ({ value, label });
