import { listFields } from '#lib/management/field/user-fields.ts';
import { type ListedPerson, listPeople } from '#lib/management/user/people-list.ts';
import type { UserFilter } from '#lib/management/user/users.ts';
import { totalOf } from '#lib/messages/admin/frame.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { roles } from '#lib/people/roles.ts';
import { requirePermission } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { oneOf, readParams, type SearchParams, switchOf } from '../../params.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Day } from '../../ui/day.tsx';
import { EmailAddress } from '../../ui/email-address.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { filterOf, ListPage } from '../ui/list-page.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { Since } from '../ui/since.tsx';
import { RoleBadge } from './role-badge.tsx';

const path = '/admin/people';

export default async function PeoplePage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-people');
  const query = await readParams(searchParams);
  const now = new Date();
  const { rows, total, next, previous } = await orNotFound(listPeople(wantedOf(query, now), now));
  const [field] = await listFields();
  const actions = (
    <>
      <QuickButton kind="secondary" href="/admin/fields">
        {words.fields}
      </QuickButton>
      <QuickButton kind="secondary" href="/admin/people/invite">
        {words.invite}
      </QuickButton>
      <QuickButton href="/admin/people/new">{words.add}</QuickButton>
    </>
  );
  return (
    <ListPage
      title={words.title}
      text={words.lead}
      actions={actions}
      path={path}
      query={query}
      search={{
        label: words.search,
        placeholder: field ? words.searchHintField(field.name) : words.searchHint,
      }}
      filters={[
        filterOf('role', words.filterRole, roleOptions, query),
        filterOf('state', words.filterState, states, query),
      ]}
      caption={words.list}
      columns={[
        { key: 'person', label: words.columnPerson },
        { key: 'email', label: words.columnEmail },
        { key: 'signIn', label: words.columnSignIn },
        { key: 'steps', label: words.columnSecondStep },
        { key: 'since', label: words.columnSince, sorted: 'descending' },
      ]}
      rows={rows.map((user) => ({ key: user.id, cells: cellsOf(user) }))}
      empty={
        <EmptyState
          icon="person"
          title={words.nothingFound}
          text={field ? words.nothingFoundField(field.name) : words.nothingFoundText}
        />
      }
      total={totalOf(total, words.one, words.several)}
      next={next}
      previous={previous}
    />
  );
}

function wantedOf(query: Record<string, string>, now: Date): UserFilter {
  return {
    search: query.q?.slice(0, 200),
    role: oneOf(roles, query.role),
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    lockedAt: query.state === 'locked' ? now : undefined,
    cursor: query.after || undefined,
  };
}

const option = (value: string, label: string) => ({ value, label });
const roleOptions = [
  option('', words.all),
  ...roles.map((role) => option(role, words.roleFilter[role])),
];
const states = [
  option('', words.all),
  option('enabled', words.enabled),
  option('locked', words.locked),
  option('disabled', words.disabled),
];

function cellsOf({ facts, ...user }: ListedPerson) {
  return {
    person: (
      <div className="flex items-center gap-3">
        <Avatar name={user.name || user.username} className="size-9 text-base" />
        <div className="min-w-0 wrap-anywhere">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <QuickLink className="gh-link font-semibold" href={`${path}/${user.id}`}>
              <UserText text={user.name || user.username} />
            </QuickLink>
            <RoleBadge role={user.role} />
            {user.usernameUnfit && <Badge tone="warning">{words.unfit}</Badge>}
            {facts.lockedUntil && <Badge tone="warning">{words.locked}</Badge>}
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
        <EmailAddress text={user.email} />
        {!user.emailVerified && (
          <span className="block text-xs text-ink-soft">{words.unconfirmed}</span>
        )}
      </>
    ),
    signIn: <Since at={user.lastSignInAt} never={words.never} />,
    steps: <Steps facts={facts} />,
    since: <Day locale="en" at={user.createdAt.toISOString()} />,
  };
}

/** What is asked of them beside a password. */
function Steps({ facts: { totp, passkeys } }: Pick<ListedPerson, 'facts'>) {
  const names = [totp && words.stepApp, passkeys > 0 && words.stepPasskeys(passkeys)];
  const steps = names.filter((name) => name !== false);
  if (steps.length === 0) return <span className="text-ink-soft">{words.stepsNone}</span>;
  return steps.map((step) => (
    <span key={step} className="block whitespace-nowrap">
      {step}
    </span>
  ));
}
