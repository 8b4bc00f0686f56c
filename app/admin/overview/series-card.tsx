import { type Period, periods, type Series } from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { Table } from '../../ui/table.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { BarChart } from './bar-chart.tsx';

const hour = 3600_000;

/** One metric over time: its sum, a chart, and the numbers behind it. */
export function SeriesCard({ series, period }: { series: Series; period: Period }) {
  const label = words.series[series.name];
  const most = Math.max(0, ...series.bars.map(({ value }) => value));
  const bad = series.name === 'refusal' || series.name === 'sign-in-failed';
  return (
    <section
      aria-label={label}
      className="grid content-start gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-5"
    >
      <div>
        <h2 className="text-sm font-semibold text-ink-soft">{label}</h2>
        <p className="flex items-baseline justify-between gap-3">
          <span className="text-2xl font-semibold tracking-tight tabular-nums">
            {series.total.toLocaleString('en')}
          </span>
          {most > 0 && (
            <span className="text-xs text-ink-soft tabular-nums">{words.most(most)}</span>
          )}
        </p>
      </div>
      <BarChart
        label={words.chart(label, series.total, words.inPeriod[period], most)}
        bars={series.bars.map(({ from, value }) => ({
          value,
          title: words.bar(momentOf(from, period), value),
        }))}
        tone={bad ? 'danger' : 'accent'}
      />
      <div className="flex justify-between text-xs text-ink-soft tabular-nums">
        <span>{momentOf(series.bars[0]?.from, period)}</span>
        <span>{words.eachBar[period]}</span>
        <span>{momentOf(series.bars.at(-1)?.until, period)}</span>
      </div>
      {series.name === 'refusal' && series.total > 0 && (
        <QuickLink className="gh-link w-fit text-xs" href="/admin/traces?result=failed">
          {words.toFailed}
        </QuickLink>
      )}
      <details>
        <summary className="w-fit cursor-pointer py-0.5 text-xs text-ink-soft">
          {words.numbers}
        </summary>
        <div className="mt-2 max-h-72 overflow-y-auto">
          <Table
            caption={label}
            columns={[
              { key: 'from', label: words.columnFrom },
              { key: 'value', label, numeric: true },
            ]}
            rows={series.bars.map(({ from, value }) => ({
              key: from.toISOString(),
              cells: { from: momentOf(from, period), value: value.toLocaleString('en') },
            }))}
          />
        </div>
      </details>
    </section>
  );
}

/** The day, and the hour where bars are shorter than a day. */
function momentOf(at: Date | undefined, period: Period): string {
  if (!at) return '';
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { month: 'short', day: 'numeric' } as const;
  const options = periods[period].bar < 24 * hour ? { ...day, ...time } : day;
  return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' }).format(at);
}
