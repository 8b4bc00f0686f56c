import { type GroupFilter, type ListedGroup, listGroups } from '#lib/management/group/groups.ts';
import { keptOf } from '#lib/management/kept.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal, totalIn } from '#lib/messages/total.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
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
  const text = await pageText();
  const query = await readParams(searchParams);
  const person = query.person ? await orNotFound(userWithId(query.person)) : null;
  const { rows, total, next, previous } = await orNotFound(listGroups(wantedOf(query)));
  const kept = await keptOf('group');
  const filtered = ['q', 'members', 'person', 'after'].some((name) => query[name]);
  const add = <QuickButton href="/admin/groups/new">{text('groups.add')}</QuickButton>;
  return (
    <ListPage
      title={text('groups.title')}
      text={
        person ? text('groups.leadOf', { name: stripBidi(person.username) }) : text('groups.lead')
      }
      actions={add}
      path={path}
      query={query}
      search={{ label: text('groups.search'), placeholder: text('groups.searchHint') }}
      filters={filtersOf(text, query)}
      caption={text('groups.list')}
      columns={columnsOf(text, query.sort)}
      rows={rows.map((group) => ({ key: group.id, cells: cellsOf(text, group, kept) }))}
      empty={
        filtered ? (
          <EmptyState
            icon="person"
            title={text('groups.nothingFound')}
            text={text('groups.nothingFoundText')}
          />
        ) : (
          <EmptyState
            icon="person"
            title={text('groups.none')}
            text={text('groups.noneText')}
            action={add}
          />
        )
      }
      total={text('groups.total', ofTotal(total))}
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
const memberOptions = (text: Text) => [
  option('', text('groups.all')),
  option('some', text('groups.withMembers')),
  option('none', text('groups.withoutMembers')),
];
const orders = (text: Text) => [
  option('', text('groups.byName')),
  option('newest', text('groups.newest')),
];

function filtersOf(text: Text, query: Record<string, string>) {
  return [
    filterOf('members', text('groups.filterMembers'), memberOptions(text), query),
    filterOf('sort', text('groups.sort'), orders(text), query),
  ];
}

function columnsOf(text: Text, sort: string | undefined) {
  const newest = sort === 'newest';
  return [
    {
      key: 'name',
      label: text('groups.columnName'),
      sorted: newest ? undefined : ('ascending' as const),
    },
    { key: 'members', label: text('groups.columnMembers'), numeric: true },
    { key: 'apps', label: text('groups.columnApps'), numeric: true },
    {
      key: 'made',
      label: text('groups.columnMade'),
      sorted: newest ? ('descending' as const) : undefined,
    },
  ];
}

function cellsOf(text: Text, { facts, ...group }: ListedGroup, kept: ReadonlySet<string>) {
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
    members: totalIn(text.locale, facts.members),
    apps: countIn(text.locale, facts.apps),
    made: <Day locale={text.locale} at={group.createdAt.toISOString()} />,
  };
}
