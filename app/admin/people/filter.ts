import type { UserFilter } from '#lib/management/user/users.ts';
import { roles } from '#lib/people/roles.ts';
import { findGroup } from '#lib/store/groups.ts';
import { oneOf, switchOf } from '../../params.ts';
import type { Selection } from '../ui/table/selection.ts';

type Query = Readonly<Record<string, string>>;

/** How long somebody has not signed in, in days, by what an address says. */
const quietDays: Readonly<Record<string, number>> = { days30: 30, days90: 90 };

/** The people that the address of the list asks for. */
export async function peopleFilter(query: Query, now: Date): Promise<UserFilter> {
  const days = quietDays[query.quiet ?? ''];
  return {
    search: query.q?.slice(0, 200),
    role: oneOf(roles, query.role),
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    lockedAt: query.state === 'locked' ? now : undefined,
    group: query.group ? await groupIn(query.group) : undefined,
    quietSince: query.quiet === 'never' ? 'never' : days ? daysBefore(now, days) : undefined,
    secondStep: switchOf(query.step, 'with', 'without'),
  };
}

/** The people that were ticked, or that the filters of the list find. */
export async function selectedPeople(selection: Selection, now: Date): Promise<UserFilter> {
  return 'ids' in selection ? { ids: selection.ids } : peopleFilter(selection.matching, now);
}

/** The id of a group by name or id; of one that is not there, what was said, which finds nobody. */
async function groupIn(said: string): Promise<string> {
  const found = await findGroup(said.slice(0, 200));
  return found && found !== 'several' ? found.id : said.slice(0, 200);
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 24 * 3600_000);
