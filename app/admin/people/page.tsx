import { listUsers, type UserFilter, type UserRecord } from '#lib/management/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { requireAdmin } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Day } from '../../ui/day.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { filterOf, ListPage, switchOf } from '../ui/list-page.tsx';
import { readParams, type SearchParams } from '../ui/params.ts';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

const path = '/admin/people';

export default async function PeoplePage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const query = await readParams(searchParams);
  const { rows, next } = await orNotFound(listUsers(wantedOf(query)));
  const actions = (
    <>
      <QuickButton kind="secondary" href="/admin/new-person/invite">
        {words.invite}
      </QuickButton>
      <QuickButton href="/admin/new-person">{words.add}</QuickButton>
    </>
  );
  return (
    <ListPage
      title={words.title}
      text={words.lead}
      actions={actions}
      path={path}
      query={query}
      search={{ label: words.search, placeholder: words.searchHint }}
      filters={[
        filterOf('role', words.filterRole, roles, query),
        filterOf('state', words.filterState, states, query),
      ]}
      caption={words.list}
      columns={[
        { key: 'person', label: words.columnPerson },
        { key: 'email', label: words.columnEmail },
        { key: 'since', label: words.columnSince, sorted: 'descending' },
      ]}
      rows={rows.map((user) => ({ key: user.id, cells: cellsOf(user) }))}
      empty={<EmptyState icon="person" title={words.nothingFound} text={words.nothingFoundText} />}
      next={next}
    />
  );
}

function wantedOf(query: Record<string, string>): UserFilter {
  return {
    search: query.q?.slice(0, 200),
    admin: switchOf(query.role, 'admin', 'member'),
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    cursor: query.after || undefined,
  };
}

const option = (value: string, label: string) => ({ value, label });
const roles = [
  option('', words.all),
  option('admin', words.admins),
  option('member', words.members),
];
const states = [
  option('', words.all),
  option('enabled', words.enabled),
  option('disabled', words.disabled),
];

function cellsOf(user: UserRecord) {
  return {
    person: (
      <div className="flex items-center gap-3">
        <Avatar name={user.name || user.username} className="size-9 text-base" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <QuickLink className="gh-link font-semibold" href={`${path}/${user.id}`}>
              <UserText text={user.name || user.username} />
            </QuickLink>
            {user.admin && <Badge tone="accent">{words.admin}</Badge>}
            {user.usernameUnfit && <Badge tone="warning">{words.unfit}</Badge>}
            {user.disabledAt && <Badge tone="danger">{words.disabled}</Badge>}
          </div>
          {user.name && (
            <p className="text-ink-soft">
              <UserText text={user.username} />
            </p>
          )}
        </div>
      </div>
    ),
    email: (
      <>
        <UserText className="whitespace-nowrap" text={user.email} />
        {!user.emailVerified && (
          <span className="block text-xs text-ink-soft">{words.unconfirmed}</span>
        )}
      </>
    ),
    since: <Day locale="en" at={user.createdAt.toISOString()} />,
  };
}
