import { type Attention, type FailingClient, named } from '#lib/management/overview.ts';
import { newAppWords } from '#lib/messages/admin/new-apps.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { traceWords } from '#lib/messages/admin/traces.ts';
import { Day } from '../../ui/day.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { settingHref } from '../settings/tabs.ts';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { failedAttempts } from './app-activity.tsx';

type Point = { key: string; name: string; href: string; note: React.ReactNode };
type Group = { title: string; why: string; points: Point[]; all?: boolean };

/** What needs attention, each item with a link to where it is fixed. */
export function AttentionList({ attention }: { attention: Attention }) {
  const groups = groupsOf(attention).filter(({ points }) => points.length > 0);
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

/** Apps in whose name something was refused that anyone can have sent: no alarm, and nothing to do by itself. */
export function UnprovedNotice({ clients }: { clients: readonly FailingClient[] }) {
  if (clients.length === 0) return null;
  return (
    <AdminNotice kind="info" title={words.unproved.title}>
      {words.unproved.why}
      <Points points={clients.map(failingPoint)} />
    </AdminNotice>
  );
}

function Points({ points, all = false }: Pick<Group, 'points' | 'all'>) {
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
      {points.length > shown.length && <li className="text-ink-soft">{words.more}</li>}
    </ul>
  );
}

function groupsOf({
  settings,
  loose,
  unusedSecrets,
  oldSecrets,
  failing,
  stopped,
  unfit,
  waiting,
}: Attention): Group[] {
  const secret = (each: Attention['oldSecrets'][number]): Point => ({
    key: `${each.clientId} ${each.createdAt.getTime()}`,
    name: each.clientName,
    href: `${clientPage(each.clientId)}#secrets`,
    note: (
      <>
        {words.since} <Day locale="en" at={each.createdAt.toISOString()} />
      </>
    ),
  });
  return [
    { ...newAppWords.attention, points: waiting.map(waitingPoint) },
    { ...words.stopped, points: stopped.map(stoppedPoint) },
    { ...words.unfit, points: unfit.map(unfitPoint) },
    { ...words.failing, points: failing.map(failingPoint) },
    { ...words.loose, points: loose.map(loosePoint) },
    { ...words.unused, points: unusedSecrets.map(secret) },
    { ...words.old, points: oldSecrets.map(secret) },
    { ...words.settings, points: settings.map(settingPoint), all: true },
  ];
}

function waitingPoint({ clientId, host, username }: Attention['waiting'][number]): Point {
  const note = newAppWords.attentionNote(username);
  return { key: clientId, name: host, href: '/admin/clients#waiting', note };
}

function stoppedPoint({ id, username, until }: Attention['stopped'][number]): Point {
  const note = (
    <>
      {words.until} <Moment at={until} />
    </>
  );
  return { key: id, name: username, href: `/admin/people/${id}#access`, note };
}

function unfitPoint({ id, username, email }: Attention['unfit'][number]): Point {
  return { key: id, name: username, href: `/admin/people/${id}#profile`, note: email };
}

function failingPoint({ id, name, rule, at }: FailingClient): Point {
  const note = (
    <>
      {traceWords.rules[rule].what} · <Moment at={at} />
    </>
  );
  return { key: id, name, href: failedAttempts(id), note };
}

function loosePoint({ id, name, ...is }: Attention['loose'][number]): Point {
  const reasons = [
    is.noPkce && words.noPkce,
    is.noAuthOnRefresh && words.noAuthOnRefresh,
    is.insecureUri && words.insecureUri,
  ].filter(Boolean);
  return { key: id, name, href: clientPage(id), note: reasons.join(', ') };
}

function settingPoint({ key, name, value }: Attention['settings'][number]): Point {
  return { key, name, href: settingHref(key), note: value ? words.on : words.off };
}
