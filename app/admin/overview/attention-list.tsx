import {
  type AppTrouble,
  type Attention,
  type FailingClient,
  mostCounted,
  named,
} from '#lib/management/overview.ts';
import { failedLogoutText } from '#lib/messages/failed-logout.ts';
import type { Text } from '#lib/messages/text.ts';
import { totalIn } from '#lib/messages/total.ts';
import { pageText } from '../../locale.ts';
import { Day } from '../../ui/day.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { settingHref } from '../settings/tabs.ts';
import { hrefOf } from '../ui/href.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { failedAttempts } from './app-activity.tsx';

type Point = { key: string; name: string; href: string; note: React.ReactNode };
type Group = {
  title: string;
  why: string;
  points: Point[];
  /** The list of all of them. */
  href?: string;
  /** What is broken, what is to be seen to, and what is no alarm. */
  tone: 'danger' | 'warn' | 'info';
};

/** What needs attention, what is broken first, each item with a link to the place to fix it. */
export async function AttentionList({ attention }: { attention: Attention }) {
  const text = await pageText();
  return (
    <ul className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {attentionGroups(text, attention).map((group) => (
        <li key={group.title} className="flex gap-3">
          <Icon name={group.tone === 'info' ? 'info' : 'alert'} className={tones[group.tone]} />
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

const tones = {
  danger: 'mt-0.5 size-5 text-danger',
  warn: 'mt-0.5 size-5 text-warn',
  info: 'mt-0.5 size-5 text-info',
};

async function Points({ points, href }: Pick<Group, 'points' | 'href'>) {
  const text = await pageText();
  const shown = href ? points.slice(0, named) : points;
  return (
    <ul className="mt-2 grid gap-1 text-sm">
      {shown.map(({ key, name, href: to, note }) => (
        <li key={key}>
          <QuickLink className="gh-link font-medium" href={to}>
            <UserText text={name} />
          </QuickLink>{' '}
          <span className="text-ink-soft">{note}</span>
        </li>
      ))}
      {href && points.length > shown.length && (
        <li>
          <QuickLink className="gh-link font-semibold" href={href}>
            {text('overview.showAll', { total: totalIn(text.locale, totalOf(points)) })}
          </QuickLink>
        </li>
      )}
    </ul>
  );
}

const totalOf = ({ length }: readonly unknown[]) => ({
  count: Math.min(length, mostCounted),
  more: length > mostCounted,
});

/** The kinds of things that need attention, without those of which there are none. */
export function attentionGroups(text: Text, attention: Attention): Group[] {
  const group = <Key extends keyof Attention>(
    kind: Key,
    pointOf: (text: Text, each: Attention[Key][number]) => Point,
    href?: string,
    tone: Group['tone'] = 'warn',
  ): Group => {
    const key: keyof Attention = kind;
    const points = attention[kind].map((each) => pointOf(text, each));
    const { count } = totalOf(points);
    const total = totalIn(text.locale, totalOf(points));
    return {
      title: text(`overview.${key}.title`, { count, total }),
      why: text(`overview.${key}.why`),
      points,
      tone,
      ...(href && { href }),
    };
  };
  const list = (trouble: AppTrouble) => hrefOf('/admin/clients', { attention: trouble });
  return [
    group('failing', failingPoint, list('failing'), 'danger'),
    group('logouts', logoutPoint, list('logouts'), 'danger'),
    group('unproved', failingPoint, list('unproved'), 'info'),
    group('waiting', waitingPoint, '/admin/clients#waiting'),
    group('stopped', stoppedPoint, '/admin/people?state=locked'),
    group('unfit', unfitPoint, '/admin/people?state=unfit'),
    group('loose', loosePoint, list('loose')),
    group('unused', secretPoint, list('unused')),
    group('old', secretPoint, list('old')),
    group('settings', settingPoint),
  ].filter(({ points }) => points.length > 0);
}

function secretPoint(text: Text, { id, name, createdAt }: Attention['old'][number]): Point {
  const note = (
    <>
      {text('overview.since')} <Day locale={text.locale} at={createdAt.toISOString()} />
    </>
  );
  return { key: id, name, href: `${clientPage(id)}#secrets`, note };
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

function unfitPoint(_: Text, { id, username, email }: Attention['unfit'][number]): Point {
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
