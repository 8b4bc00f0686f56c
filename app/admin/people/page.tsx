import { listFields } from '#lib/management/field/user-fields.ts';
import { type ListedPerson, listPeople } from '#lib/management/user/people-list.ts';
import type { UserFilter } from '#lib/management/user/users.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { roles } from '#lib/people/roles.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
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
  const text = await pageText();
  const query = await readParams(searchParams);
  const now = new Date();
  const { rows, total, next, previous } = await orNotFound(listPeople(wantedOf(query, now), now));
  const [field] = await listFields();
  const actions = (
    <>
      <QuickButton kind="secondary" href="/admin/fields">
        {text('people.fields')}
      </QuickButton>
      <QuickButton kind="secondary" href="/admin/people/invite">
        {text('people.invite')}
      </QuickButton>
      <QuickButton href="/admin/people/new">{text('people.add')}</QuickButton>
    </>
  );
  return (
    <ListPage
      title={text('people.title')}
      text={text('people.lead')}
      actions={actions}
      path={path}
      query={query}
      search={{
        label: text('people.search'),
        placeholder: field
          ? text('people.searchHintField', { name: field.name })
          : text('people.searchHint'),
      }}
      filters={[
        filterOf('role', text('people.filterRole'), roleOptions(text), query),
        filterOf('state', text('people.filterState'), states(text), query),
      ]}
      caption={text('people.list')}
      columns={[
        { key: 'person', label: text('people.columnPerson') },
        { key: 'email', label: text('people.columnEmail') },
        { key: 'signIn', label: text('people.columnSignIn') },
        { key: 'steps', label: text('people.columnSecondStep') },
        { key: 'since', label: text('people.columnSince'), sorted: 'descending' },
      ]}
      rows={rows.map((user) => ({ key: user.id, cells: cellsOf(text, user) }))}
      empty={
        <EmptyState
          icon="person"
          title={text('people.nothingFound')}
          text={
            field
              ? text('people.nothingFoundField', { name: field.name })
              : text('people.nothingFoundText')
          }
        />
      }
      total={text('people.total', ofTotal(total))}
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
const roleOptions = (text: Text) => [
  option('', text('people.all')),
  ...roles.map((role) => option(role, text(`people.roleFilter.${role}`))),
];
const states = (text: Text) => [
  option('', text('people.all')),
  option('enabled', text('people.enabled')),
  option('locked', text('people.locked')),
  option('disabled', text('people.disabled')),
];

function cellsOf(text: Text, { facts, ...user }: ListedPerson) {
  return {
    person: (
      <div className="flex items-center gap-3">
        <Avatar name={user.name || user.username} className="size-9 text-base" />
        <div className="min-w-0 wrap-anywhere">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <QuickLink className="gh-link font-semibold" href={`${path}/${user.id}`}>
              <UserText text={user.name || user.username} />
            </QuickLink>
            <RoleBadge role={user.role} text={text} />
            {user.usernameUnfit && <Badge tone="warning">{text('people.unfit')}</Badge>}
            {facts.lockedUntil && <Badge tone="warning">{text('people.locked')}</Badge>}
            {user.disabledAt && <Badge tone="danger">{text('people.disabled')}</Badge>}
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
          <span className="block text-xs text-ink-soft">{text('people.unconfirmed')}</span>
        )}
      </>
    ),
    signIn: <Since locale={text.locale} at={user.lastSignInAt} never={text('people.never')} />,
    steps: <Steps facts={facts} />,
    since: <Day locale={text.locale} at={user.createdAt.toISOString()} />,
  };
}

/** What is asked of them beside a password. */
async function Steps({ facts: { totp, passkeys } }: Pick<ListedPerson, 'facts'>) {
  const text = await pageText();
  const names = [
    totp && text('people.stepApp'),
    passkeys > 0 && text('people.stepPasskeys', { count: passkeys }),
  ];
  const steps = names.filter((name) => name !== false);
  if (steps.length === 0) return <span className="text-ink-soft">{text('people.stepsNone')}</span>;
  return steps.map((step) => (
    <span key={step} className="block whitespace-nowrap">
      {step}
    </span>
  ));
}
