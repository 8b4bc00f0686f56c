import { type GroupFilter, type ListedGroup, listGroups } from '#lib/management/group/groups.ts';
import { keptOf } from '#lib/management/kept.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { countOf, totalOf } from '#lib/messages/admin/frame.ts';
import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { requirePermission } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { oneOf, readParams, type SearchParams, switchOf } from '../../params.ts';
import { Day } from '../../ui/day.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { filterOf, ListPage } from '../ui/list-page.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

const path = '/admin/groups';

export default async function GroupsPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const query = await readParams(searchParams);
  const person = query.person ? await orNotFound(userWithId(query.person)) : null;
  const { rows, total, next, previous } = await orNotFound(listGroups(wantedOf(query)));
  const kept = await keptOf('group');
  const filtered = ['q', 'members', 'person', 'after'].some((name) => query[name]);
  const add = <QuickButton href="/admin/groups/new">{words.add}</QuickButton>;
  return (
    <ListPage
      title={words.title}
      text={person ? words.leadOf(stripBidi(person.username)) : words.lead}
      actions={add}
      path={path}
      query={query}
      search={{ label: words.search, placeholder: words.searchHint }}
      filters={filtersOf(query)}
      caption={words.list}
      columns={columnsOf(query.sort)}
      rows={rows.map((group) => ({ key: group.id, cells: cellsOf(group, kept) }))}
      empty={
        filtered ? (
          <EmptyState icon="person" title={words.nothingFound} text={words.nothingFoundText} />
        ) : (
          <EmptyState icon="person" title={words.none} text={words.noneText} action={add} />
        )
      }
      total={totalOf(total, words.one, words.several)}
      next={next}
      previous={previous}
    />
  );
}

function wantedOf(query: Record<string, string>): GroupFilter {
  return {
    search: query.q?.slice(0, 200),
    empty: switchOf(query.members, 'none', 'some'),
    userId: query.person || undefined,
    sort: oneOf(['name', 'newest'], query.sort),
    cursor: query.after || undefined,
  };
}

const option = (value: string, label: string) => ({ value, label });
const memberOptions = [
  option('', words.all),
  option('some', words.withMembers),
  option('none', words.withoutMembers),
];
const orders = [option('', words.byName), option('newest', words.newest)];

function filtersOf(query: Record<string, string>) {
  return [
    filterOf('members', words.filterMembers, memberOptions, query),
    filterOf('sort', words.sort, orders, query),
  ];
}

function columnsOf(sort: string | undefined) {
  const newest = sort === 'newest';
  return [
    { key: 'name', label: words.columnName, sorted: newest ? undefined : ('ascending' as const) },
    { key: 'members', label: words.columnMembers, numeric: true },
    { key: 'apps', label: words.columnApps, numeric: true },
    { key: 'made', label: words.columnMade, sorted: newest ? ('descending' as const) : undefined },
  ];
}

function cellsOf({ facts, ...group }: ListedGroup, kept: ReadonlySet<string>) {
  return {
    name: (
      <div className="min-w-0 wrap-anywhere">
        <QuickLink className="gh-link font-semibold" href={`${path}/${group.id}`}>
          <UserText text={group.name} />
        </QuickLink>{' '}
        {kept.has(group.id) && <KeptBadge />}
        {group.description && (
          <p className="line-clamp-2 text-ink-soft">
            <UserText text={group.description} />
          </p>
        )}
      </div>
    ),
    members: countOf(facts.members),
    apps: facts.apps.toLocaleString('en'),
    made: <Day locale="en" at={group.createdAt.toISOString()} />,
  };
}
