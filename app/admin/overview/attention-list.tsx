import { type Attention, type FailingClient, named } from '#lib/management/overview.ts';
import { failedLogoutText } from '#lib/messages/failed-logout.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Day } from '../../ui/day.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { settingHref } from '../settings/tabs.ts';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { failedAttempts } from './app-activity.tsx';

type Point = { key: string; name: string; href: string; note: React.ReactNode };
type Trouble =
  | 'waiting'
  | 'stopped'
  | 'unfit'
  | 'failing'
  | 'logouts'
  | 'loose'
  | 'unused'
  | 'old'
  | 'settings';
type Group = { title: string; why: string; points: Point[]; all?: boolean };

/** What needs attention, each item with a link to the place to fix it. */
export async function AttentionList({ attention }: { attention: Attention }) {
  const text = await pageText();
  const groups = groupsOf(text, attention).filter(({ points }) => points.length > 0);
  return (
    <ul className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {groups.map((group) => (
        <li key={group.title} className="flex gap-3">
          <Icon name="alert" className="mt-0.5 size-5 text-warn" />
          <div className="min-w-0">
            <h3 className="font-semibold">{group.title}</h3>
            <p className="text-sm text-ink-soft">{group.why}</p>
            <Points {...group} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/**
 * Apps with refused requests that anyone could have sent in their name. This is no alarm, and by
 * itself requires no action.
 */
export async function UnprovedNotice({ clients }: { clients: readonly FailingClient[] }) {
  const text = await pageText();
  if (clients.length === 0) return null;
  return (
    <AdminNotice kind="info" title={text('overview.unproved.title')}>
      {text('overview.unproved.why')}
      <Points points={clients.map((client) => failingPoint(text, client))} />
    </AdminNotice>
  );
}

async function Points({ points, all = false }: Pick<Group, 'points' | 'all'>) {
  const text = await pageText();
  const shown = all ? points : points.slice(0, named);
  return (
    <ul className="mt-2 grid gap-1 text-sm">
      {shown.map(({ key, name, href, note }) => (
        <li key={key}>
          <QuickLink className="gh-link font-medium" href={href}>
            <UserText text={name} />
          </QuickLink>{' '}
          <span className="text-ink-soft">{note}</span>
        </li>
      ))}
      {points.length > shown.length && <li className="text-ink-soft">{text('overview.more')}</li>}
    </ul>
  );
}

function groupsOf(
  text: Text,
  {
    settings,
    loose,
    unusedSecrets,
    oldSecrets,
    failing,
    logouts,
    stopped,
    unfit,
    waiting,
  }: Attention,
): Group[] {
  const secret = (each: Attention['oldSecrets'][number]): Point => ({
    key: `${each.clientId} ${each.createdAt.getTime()}`,
    name: each.clientName,
    href: `${clientPage(each.clientId)}#secrets`,
    note: (
      <>
        {text('overview.since')} <Day locale={text.locale} at={each.createdAt.toISOString()} />
      </>
    ),
  });
  const group = (key: Trouble, points: Point[]): Group => ({
    title: text(`overview.${key}.title`),
    why: text(`overview.${key}.why`),
    points,
  });
  return [
    group(
      'waiting',
      waiting.map((each) => waitingPoint(text, each)),
    ),
    group(
      'stopped',
      stopped.map((each) => stoppedPoint(text, each)),
    ),
    group('unfit', unfit.map(unfitPoint)),
    group(
      'failing',
      failing.map((each) => failingPoint(text, each)),
    ),
    group(
      'logouts',
      logouts.map((each) => logoutPoint(text, each)),
    ),
    group(
      'loose',
      loose.map((each) => loosePoint(text, each)),
    ),
    group('unused', unusedSecrets.map(secret)),
    group('old', oldSecrets.map(secret)),
    {
      ...group(
        'settings',
        settings.map((each) => settingPoint(text, each)),
      ),
      all: true,
    },
  ];
}

function waitingPoint(
  text: Text,
  { clientId, host, username }: Attention['waiting'][number],
): Point {
  const note = text('overview.waiting.note', { username });
  return { key: clientId, name: host, href: '/admin/clients#waiting', note };
}

function stoppedPoint(text: Text, { id, username, until }: Attention['stopped'][number]): Point {
  const note = (
    <>
      {text('overview.until')} <Moment locale={text.locale} at={until} />
    </>
  );
  return { key: id, name: username, href: `/admin/people/${id}#access`, note };
}

function unfitPoint({ id, username, email }: Attention['unfit'][number]): Point {
  return { key: id, name: username, href: `/admin/people/${id}#profile`, note: email };
}

function failingPoint(text: Text, { id, name, rule, at }: FailingClient): Point {
  const note = (
    <>
      {text(`attempts.rules.${rule}.what`)} · <When locale={text.locale} at={at} />
    </>
  );
  return { key: id, name, href: failedAttempts(id), note };
}

function logoutPoint(
  text: Text,
  { id, name, failure, failedAt }: Attention['logouts'][number],
): Point {
  const note = (
    <>
      {failedLogoutText(text, failure)} · <When locale={text.locale} at={failedAt} />
    </>
  );
  return { key: id, name, href: clientPage(id, 'activity'), note };
}

function loosePoint(text: Text, { id, name, ...is }: Attention['loose'][number]): Point {
  const reasons = [
    is.noPkce && text('overview.noPkce'),
    is.noAuthOnRefresh && text('overview.noAuthOnRefresh'),
    is.insecureUri && text('overview.insecureUri'),
  ].filter(Boolean);
  return { key: id, name, href: clientPage(id), note: reasons.join(', ') };
}

function settingPoint(text: Text, { key, name, value }: Attention['settings'][number]): Point {
  return {
    key,
    name,
    href: settingHref(key),
    note: value ? text('overview.on') : text('overview.off'),
  };
}
