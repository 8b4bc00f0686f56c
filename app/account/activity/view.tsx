import type { ActivityKind, ActivityType } from '#lib/management/user/activity.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';

export type Happening = {
  id: string;
  type: ActivityType;
  kind: ActivityKind;
  /** ISO time. */
  at: string;
  app: string | null;
  through?: { app: string; apis: string };
  /** In our own words; '' if unknown. */
  device: string;
  network: string | null;
  /** An administrator did it, not the user. */
  byOther: boolean;
};

type ActivityProps = {
  rows: readonly Happening[];
  /** The kind of event shown; undefined for all. */
  kind?: ActivityKind;
  /** Cursors of the neighbouring pages. */
  newer: string | null;
  older: string | null;
  days: string;
  locale: Locale;
};

const icons: Record<ActivityKind, IconName> = { 'sign-ins': 'key', apps: 'apps', changes: 'gear' };
const kinds = Object.keys(icons) as ActivityKind[];

/** Events by day, newest first, with a choice of which kind to show. */
export function ActivityView(props: ActivityProps) {
  const { rows, kind, days, locale } = props;
  const text = textIn(locale);
  return (
    <>
      <Kinds kind={kind} locale={locale} />
      {rows.length === 0 ? (
        <EmptyState title={text('activity.none')} text={text('activity.noneText', { days })} />
      ) : (
        <Card>
          <ol className="divide-y divide-line">
            {rows.map((row) => (
              <Line key={row.id} row={row} locale={locale} />
            ))}
          </ol>
        </Card>
      )}
      <Pages {...props} />
      <p className="text-ink-soft">
        {rich(
          'activity.notYou',
          {
            link: (
              <a className="gh-link" href="/account/sign-in">
                {text('activity.notYouLink')}
              </a>
            ),
          },
          locale,
        )}
      </p>
    </>
  );
}

const addressOf = (kind?: ActivityKind, cursor?: string) => {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(cursor && { cursor }) });
  return query.size > 0 ? `/account/activity?${query}` : '/account/activity';
};

function Kinds({ kind, locale }: Pick<ActivityProps, 'kind' | 'locale'>) {
  const text = textIn(locale);
  const choices = [undefined, ...kinds].map((each) => ({
    label: each ? text(`activity.kind.${each}`) : text('activity.all'),
    href: addressOf(each),
    current: each === kind,
  }));
  return (
    <nav aria-label={text('activity.filter')}>
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ label, href, current }) => (
          <li key={href}>
            <ButtonLink
              href={href}
              size="small"
              kind={current ? 'primary' : 'secondary'}
              aria-current={current ? 'page' : undefined}
            >
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type LineProps = { row: Happening; locale: Locale };

function Line({ row, locale }: LineProps) {
  const text = textIn(locale);
  const app = <UserText text={row.app ?? text('activity.someApp')} />;
  const through = <UserText text={row.through?.app ?? ''} />;
  const by = row.byOther && text('activity.byOther');
  const facts = [row.through?.apis, row.device, row.network, by].filter(Boolean);
  return (
    <li className="flex items-start gap-4 py-3 first:pt-0 last:pb-0">
      <Icon name={icons[row.kind]} className="mt-0.5 size-5 text-accent" />
      <div className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
        <div className="min-w-0 basis-60 grow">
          <p className="font-medium wrap-anywhere">
            {rich(`activity.event.${row.type}`, { app, through }, locale)}
          </p>
          {facts.length > 0 && (
            <p className="text-sm wrap-anywhere text-ink-soft">
              <bdi>{facts.join(' · ')}</bdi>
            </p>
          )}
        </div>
        <p className="text-sm text-ink-soft">
          <LocalTime at={new Date(row.at)} locale={locale} />
        </p>
      </div>
    </li>
  );
}

function Pages({ kind, newer, older, locale }: ActivityProps) {
  const text = textIn(locale);
  if (!newer && !older) return null;
  return (
    <nav aria-label={text('activity.pages')} className="flex justify-between gap-3">
      {newer ? (
        <ButtonLink kind="secondary" size="small" href={addressOf(kind, newer)} rel="prev">
          {text('activity.newer')}
        </ButtonLink>
      ) : (
        <span />
      )}
      {older && (
        <ButtonLink kind="secondary" size="small" href={addressOf(kind, older)} rel="next">
          {text('activity.older')}
        </ButtonLink>
      )}
    </nav>
  );
}
