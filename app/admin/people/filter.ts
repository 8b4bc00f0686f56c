import { type PeopleSaid, readFilter } from '#lib/management/user/filter.ts';
import type { UserFilter } from '#lib/management/user/users.ts';
import { roles } from '#lib/people/roles.ts';
import { knownOption, switchOf } from '../../params.ts';
import { groupIn } from '../groups/filter.ts';
import type { Selection } from '../ui/table/selection.ts';

type Query = Readonly<Record<string, string>>;
type Read = (value: string) => PeopleSaid | Promise<PeopleSaid>;

/** How long a person has not signed in: the durations, by their value in the address. */
const quietTimes = new Map([
  ['days30', '30 days'],
  ['days90', '90 days'],
]);

/**
 * How to read each filter in the address of the list, in the shape that acts take. An unknown
 * choice has no effect.
 */
const read = new Map<string, Read>([
  ['q', (value) => ({ q: value.slice(0, 200) })],
  ['role', (value) => ({ role: knownOption(roles, value) })],
  [
    'state',
    (value) => ({
      disabled: switchOf(value, 'disabled', 'enabled'),
      locked: value === 'locked' || undefined,
      unfit_name: value === 'unfit' || undefined,
    }),
  ],
  ['group', async (value) => ({ member_of: await groupIn(value) })],
  ['directory', (value) => ({ directory: value.slice(0, 40) })],
  [
    'quiet',
    (value) => ({
      not_signed_in_for: quietTimes.get(value),
      never_signed_in: value === 'never' || undefined,
    }),
  ],
  [
    'step',
    (value) => ({
      second_step: switchOf(value, 'with', 'without'),
      second_step_required: value === 'required' || undefined,
    }),
  ],
]);

/** Reads one parameter of that address, in the shape that acts take. */
export const saidBy = async (name: string, value: string): Promise<PeopleSaid> =>
  value.trim() ? ((await read.get(name)?.(value)) ?? {}) : {};

/** The people who match the filters in the address of the list. */
export async function peopleFilter(query: Query, now: Date): Promise<UserFilter> {
  const said = await Promise.all(Object.entries(query).map((each) => saidBy(...each)));
  return readFilter(Object.assign({}, ...said), now);
}

/** The people who were ticked, or who match the filters of the list. */
export async function selectedPeople(selection: Selection, now: Date): Promise<UserFilter> {
  return 'ids' in selection ? { ids: selection.ids } : peopleFilter(selection.matching, now);
}
