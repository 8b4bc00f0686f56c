import type { ListedPerson } from '#lib/management/user/people-list.ts';
import type { Text } from '#lib/messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { EmailAddress } from '../../ui/email-address.tsx';
import type { Row } from '../../ui/table.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import type { ListColumn } from '../ui/table/order.ts';
import { RoleBadge } from './role-badge.tsx';

export const columnsOf = (text: Text): ListColumn[] => [
  { key: 'person', label: text('people.columnPerson'), sort: ['name', 'ascending'] },
  { key: 'email', label: text('people.columnEmail'), sort: ['email', 'ascending'], phone: 'line' },
  { key: 'groups', label: text('people.columnGroups'), phone: 'none' },
  { key: 'steps', label: text('people.columnSecondStep'), wide: true },
  { key: 'signIn', label: text('people.columnSignIn'), sort: ['signIn', 'descending'] },
  {
    key: 'since',
    label: text('people.columnSince'),
    sort: ['created', 'descending'],
    phone: 'none',
  },
];

export function rowOf(text: Text, { facts, ...user }: ListedPerson): Row {
  const steps = stepsOf(text, facts);
  const unconfirmed = user.emailVerified ? '' : `(${text('people.unconfirmed')})`;
  return {
    key: user.id,
    name: stripBidi(user.name || user.username),
    cells: {
      person: <Person text={text} person={{ ...user, facts }} />,
      email: (
        <span className="gh-line" title={stripBidi(`${user.email} ${unconfirmed}`.trim())}>
          <EmailAddress text={user.email} /> <span className="text-xs">{unconfirmed}</span>
        </span>
      ),
      groups: <Groups text={text} {...facts.groups} />,
      steps: steps ? <span className="whitespace-nowrap">{steps}</span> : null,
      signIn: <When locale={text.locale} at={user.lastSignInAt} never={text('people.never')} />,
      since: <When locale={text.locale} at={user.createdAt} />,
    },
  };
}

function Person({ text, person: { facts, ...user } }: { text: Text; person: ListedPerson }) {
  return (
    <div className="gh-who gh-one">
      <span className="flex min-w-0 items-center gap-2.5">
        <Avatar id={user.id} name={user.name || user.username} className="size-6.5 text-xs" />
        <span className="gh-line">
          <QuickLink className="gh-name" href={`/admin/people/${user.id}`}>
            <UserText text={user.name || user.username} />
          </QuickLink>{' '}
          {user.name && <UserText className="text-ink-soft" text={user.username} />}
        </span>
      </span>
      <RoleBadge role={user.role} text={text} />
      {user.usernameUnfit && <Badge tone="warning">{text('people.unfit')}</Badge>}
      {facts.lockedUntil && <Badge tone="warning">{text('people.locked')}</Badge>}
      {user.disabledAt && <Badge tone="danger">{text('people.disabled')}</Badge>}
    </div>
  );
}

/** Nothing, if there are none: an empty cell has a look of its own. */
function Groups({ text, names, more }: { text: Text } & ListedPerson['facts']['groups']) {
  if (names.length === 0) return null;
  return (
    <span className="gh-line">
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <UserText text={name} />
        </span>
      ))}
      {more > 0 && ` ${text('people.moreGroups', { count: more })}`}
    </span>
  );
}

/** The factors a person has besides the password. */
function stepsOf(text: Text, { totp, passkeys }: ListedPerson['facts']): string {
  const names = [
    totp && text('people.stepApp'),
    passkeys > 0 && text('people.stepPasskeys', { count: passkeys }),
  ];
  return names.filter((name) => name !== false).join(', ');
}
