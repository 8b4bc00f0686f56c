import { type Period, periods, type Series } from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { Table } from '../ui/table.tsx';
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
        values={series.bars.map(({ value }) => value)}
        tone={bad ? 'danger' : 'accent'}
      />
      <div className="flex justify-between text-xs text-ink-soft tabular-nums">
        <span>{momentOf(series.bars[0]?.from, period)}</span>
        <span>{momentOf(series.bars.at(-1)?.until, period)}</span>
      </div>
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

/** As precise as the bars: hours within a day, days beyond. */
function momentOf(at: Date | undefined, period: Period): string {
  if (!at) return '';
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { month: 'short', day: 'numeric' } as const;
  const options =
    period === '24h' ? time : periods[period].bar < 24 * hour ? { ...day, ...time } : day;
  return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' }).format(at);
}
