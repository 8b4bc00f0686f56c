import type { Period } from '#lib/management/overview.ts';
import type { SignInActivity, SignInBar } from '#lib/management/sign-in-activity.ts';
import { countIn, formatsOf } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { dayOf } from '#lib/messages/zone.ts';
import type { AuditEntry } from '#lib/store/audit-entry.ts';
import { pageText } from '../../locale.ts';
import { Table } from '../../ui/table.tsx';
import { hrefOf } from '../ui/href.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { knownPeriods } from './screen.ts';
import { SignInChart } from './sign-in-chart.tsx';

type Props = { activity: SignInActivity; period: Period; zone: string };

/** How many sign-ins worked and failed. */
export async function SignInsCard({ activity, period, zone }: Props) {
  const text = await pageText();
  const { bars, worked, failed, workedBefore } = activity;
  const inPeriod = text(`overview.inPeriod.${period}`);
  // Each sign-in is counted when its event is written.
  const from = bars[0] && dayOf(bars[0].at, period === '24h' ? zone : 'UTC');
  const eventsOf = (type: AuditEntry['type']) => hrefOf('/admin/audit', { type, from });
  const label = text('overview.signInsChart', { period: inPeriod, worked, failed, workedBefore });
  return (
    <section
      id="sign-ins"
      data-zoned
      aria-labelledby="sign-ins-title"
      className="rounded-2xl border border-line bg-surface p-5 sm:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id="sign-ins-title" className="text-sm font-semibold text-ink-soft">
            {text('overview.signIns')}
          </h2>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-5">
            <QuickLink href={eventsOf('sign-in.success')} className="hover:underline">
              <Sum value={countIn(text.locale, worked)} word={text('overview.worked')} />
            </QuickLink>
            <QuickLink href={eventsOf('sign-in.failure')} className="hover:underline">
              <Sum
                value={countIn(text.locale, failed)}
                word={text('overview.failed')}
                tone={failed > 0 ? 'text-danger' : ''}
              />
            </QuickLink>
          </p>
        </div>
        <Periods chosen={period} />
      </div>
      <div className="mt-4">
        <SignInChart
          label={label}
          bars={bars}
          wordsOf={(bar) => wordsOf(text, bar, period, zone)}
        />
      </div>
      <div className="mt-2 flex flex-wrap justify-between gap-x-6 text-xs text-ink-soft">
        <span>{text(`overview.before.${period}`)}</span>
        <span>{text('overview.zone', { zone })}</span>
      </div>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer py-0.5 text-xs text-ink-soft">
          {text('overview.numbers')}
        </summary>
        <div className="mt-2 max-h-72 overflow-y-auto">
          <Numbers activity={activity} period={period} zone={zone} />
        </div>
      </details>
    </section>
  );
}

function Sum({ value, word, tone = '' }: { value: string; word: string; tone?: string }) {
  return (
    <span className={tone}>
      <span className="text-2xl font-semibold tracking-tight tabular-nums">{value}</span>{' '}
      <span className="text-sm text-ink-soft">{word}</span>
    </span>
  );
}

async function Numbers({ activity: { bars }, period, zone }: Props) {
  const text = await pageText();
  const number = (value: number) => countIn(text.locale, value);
  return (
    <Table
      caption={text('overview.signIns')}
      columns={[
        { key: 'at', label: text('overview.columnFrom') },
        { key: 'worked', label: text('overview.worked'), numeric: true },
        { key: 'failed', label: text('overview.failed'), numeric: true },
        { key: 'before', label: text('overview.columnBefore'), numeric: true },
      ]}
      rows={bars.map((bar) => ({
        key: bar.at.toISOString(),
        cells: {
          at: momentOf(text, bar, period, zone),
          worked: number(bar.worked),
          failed: number(bar.failed),
          before: number(bar.workedBefore),
        },
      }))}
    />
  );
}

function wordsOf(text: Text, bar: SignInBar, period: Period, zone: string) {
  const { worked, failed } = bar;
  return {
    axis: axisOf(text, bar, period, zone),
    title: text('overview.bar', { from: momentOf(text, bar, period, zone), worked, failed }),
  };
}

function axisOf(text: Text, { at }: SignInBar, period: Period, zone: string): string[] {
  const say = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formatsOf(text.locale), options).format(at);
  if (period === '24h')
    return [say({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone })];
  if (period === '30d') return [say({ day: 'numeric', month: 'short', timeZone: 'UTC' })];
  return [say({ weekday: 'short', timeZone: 'UTC' }), say({ day: 'numeric', timeZone: 'UTC' })];
}

/** The day of a bar, and the hour if each bar is one hour. */
function momentOf(text: Text, { at }: SignInBar, period: Period, zone: string): string {
  const day = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const options =
    period === '24h' ? { ...day, ...hour, timeZone: zone } : { ...day, timeZone: 'UTC' };
  return new Intl.DateTimeFormat(formatsOf(text.locale), options).format(at);
}

async function Periods({ chosen }: { chosen: Period }) {
  const text = await pageText();
  return (
    <nav
      aria-label={text('overview.period')}
      className="flex rounded-xl border border-line bg-surface p-1"
    >
      {knownPeriods.map((period) => (
        <QuickLink
          key={period}
          href={period === '7d' ? '/admin' : `/admin?period=${period}`}
          aria-current={period === chosen ? 'true' : undefined}
          className={`rounded-lg px-3 py-1.5 text-sm font-semibold ${period === chosen ? 'bg-accent-tint text-accent' : 'text-ink-soft hover:text-ink'}`}
        >
          {text(`overview.periods.${period}`)}
        </QuickLink>
      ))}
    </nav>
  );
}
