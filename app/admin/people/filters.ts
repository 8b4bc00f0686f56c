import { directories } from '#lib/identity/directory/configured.ts';
import type { Text } from '#lib/messages/text.ts';
import { roles } from '#lib/people/roles.ts';
import { type GroupChoices, groupFilter } from '../groups/filter.ts';
import { type Choice, choiceOf, type Filter } from '../ui/table/filters.tsx';

type Query = Readonly<Record<string, string>>;

/** The filters of the list of people. If there are many groups, a group is found by name. */
export function filtersOf(text: Text, query: Query, groups: GroupChoices): Filter[] {
  const all: Choice = ['', text('people.all')];
  const any: Choice = ['', text('people.any')];
  return [
    ...groupFilter(text, query, groups),
    ...directoryFilter(text, query),
    choiceOf(query, 'state', text('people.filterState'), [
      all,
      ...states.map((state): Choice => [state, text(`people.${state}`)]),
    ]),
    choiceOf(query, 'role', text('people.filterRole'), [
      all,
      ...roles.map((role): Choice => [role, text(`people.roleFilter.${role}`)]),
    ]),
    choiceOf(query, 'quiet', text('people.filterSignIn'), [
      any,
      ...quiet.map((time): Choice => [time, text(`people.quiet.${time}`)]),
    ]),
    choiceOf(query, 'step', text('people.filterStep'), [
      any,
      ['with', text('people.stepWith')],
      ['without', text('people.stepWithout')],
      ['required', text('people.stepRequired')],
    ]),
  ];
}

const states = ['enabled', 'locked', 'unfit', 'disabled'] as const;
const quiet = ['never', 'days30', 'days90'] as const;

/** Filters by the directory that has a person's password, if there are directories. */
function directoryFilter(text: Text, query: Query): Filter[] {
  const all = directories();
  if (all.length === 0) return [];
  return [
    choiceOf(query, 'directory', text('people.filterDirectory'), [
      ['', text('people.all')],
      ...all.map(({ id, name }): Choice => [id, name]),
    ]),
  ];
}
