import { type GroupFilter, type ListedGroup, listGroupsBy } from '#lib/management/group/groups.ts';
import { keptOf } from '#lib/management/kept.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { totalIn } from '#lib/messages/total.ts';
import { groupSorts } from '#lib/store/group-list.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { orNotFound } from '../../or-not-found.ts';
import { readParams, type SearchParams, switchOf } from '../../params.ts';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { type Choice, choiceOf } from '../ui/table/filters.tsx';
import { List } from '../ui/table/list.tsx';
import { type ListColumn, pageIn, sortIn } from '../ui/table/order.ts';
import { listWords } from '../ui/table/words.tsx';

const path = '/admin/groups';
const usual = { by: 'name', direction: 'ascending' } as const;

export default async function GroupsPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage(path);
  const text = await pageText();
  const query = await readParams(searchParams);
  const person = query.person ? await orNotFound(userWithId(query.person)) : null;
  const sort = sortIn(query, groupSorts, usual);
  const { rows, ...list } = await listGroupsBy(wantedOf(query), { page: pageIn(query), sort });
  const kept = await keptOf('group');
  const add = (
    <QuickButton size="small" href="/admin/groups/new">
      {text('groups.add')}
    </QuickButton>
  );
  return (
    <List
      {...listWords(text, 'groups', { query, total: list.total, icon: 'person', add })}
      {...(person && { text: text('groups.leadOf', { name: stripBidi(person.username) }) })}
      actions={
        <>
          <QuickButton kind="secondary" size="small" href="/admin/deleted">
            {text('deleted.title')}
          </QuickButton>
          {add}
        </>
      }
      path={path}
      query={query}
      hint={text('groups.searchHint')}
      filters={[choiceOf(query, 'members', text('groups.filterMembers'), memberChoices(text))]}
      columns={columnsOf(text)}
      sort={sort}
      list={list}
      rows={rows.map((group) => ({ key: group.id, cells: cellsOf(text, group, kept) }))}
    />
  );
}

function wantedOf(query: Record<string, string>): GroupFilter {
  return {
    search: query.q?.slice(0, 200),
    empty: switchOf(query.members, 'none', 'some'),
    userId: query.person || undefined,
  };
}

const memberChoices = (text: Text): Choice[] => [
  ['', text('groups.all')],
  ['some', text('groups.withMembers')],
  ['none', text('groups.withoutMembers')],
];

const columnsOf = (text: Text): ListColumn[] => [
  { key: 'name', label: text('groups.columnName'), sort: ['name', 'ascending'] },
  { key: 'members', label: text('groups.columnMembers'), numeric: true },
  { key: 'apps', label: text('groups.columnApps'), numeric: true },
  { key: 'made', label: text('groups.columnMade'), sort: ['created', 'descending'] },
];

function cellsOf(text: Text, { facts, ...group }: ListedGroup, kept: ReadonlySet<string>) {
  return {
    name: (
      <div className="gh-who">
        <QuickLink className="gh-name" href={`${path}/${group.id}`}>
          <UserText text={group.name} />
        </QuickLink>
        {kept.has(group.id) && <KeptBadge />}
        {group.description && (
          <span className="line-clamp-1 text-ink-soft">
            <UserText text={group.description} />
          </span>
        )}
      </div>
    ),
    members: totalIn(text.locale, facts.members),
    apps: countIn(text.locale, facts.apps),
    made: <When locale={text.locale} at={group.createdAt} />,
  };
}
