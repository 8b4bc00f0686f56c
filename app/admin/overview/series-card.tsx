import { type Period, periods, type Series } from '#lib/management/overview.ts';
import { countIn, formatsOf } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Table } from '../../ui/table.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { BarChart } from './bar-chart.tsx';

const hour = 3600_000;

/** One metric over time: its sum, a chart, and the numbers behind it. */
export async function SeriesCard({ series, period }: { series: Series; period: Period }) {
  const text = await pageText();
  const label = text(`overview.series.${series.name}`);
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
            {countIn(text.locale, series.total)}
          </span>
          {most > 0 && (
            <span className="text-xs text-ink-soft tabular-nums">
              {text('overview.most', { most })}
            </span>
          )}
        </p>
      </div>
      <BarChart
        label={text('overview.chart', {
          label,
          total: series.total,
          period: text(`overview.inPeriod.${period}`),
          most,
        })}
        bars={series.bars.map(({ from, value }) => ({
          value,
          title: text('overview.bar', { from: momentOf(text, from, period), value }),
        }))}
        tone={bad ? 'danger' : 'accent'}
      />
      <div className="flex justify-between text-xs text-ink-soft tabular-nums">
        <span>{momentOf(text, series.bars[0]?.from, period)}</span>
        <span>{text(`overview.eachBar.${period}`)}</span>
        <span>{momentOf(text, series.bars.at(-1)?.until, period)}</span>
      </div>
      {series.name === 'refusal' && series.total > 0 && (
        <QuickLink className="gh-link w-fit text-xs" href="/admin/traces?result=failed">
          {text('overview.toFailed')}
        </QuickLink>
      )}
      <details>
        <summary className="w-fit cursor-pointer py-0.5 text-xs text-ink-soft">
          {text('overview.numbers')}
        </summary>
        <div className="mt-2 max-h-72 overflow-y-auto">
          <Table
            caption={label}
            columns={[
              { key: 'from', label: text('overview.columnFrom') },
              { key: 'value', label, numeric: true },
            ]}
            rows={series.bars.map(({ from, value }) => ({
              key: from.toISOString(),
              cells: { from: momentOf(text, from, period), value: countIn(text.locale, value) },
            }))}
          />
        </div>
      </details>
    </section>
  );
}

/** The day, and the hour where bars are shorter than a day. */
function momentOf(text: Text, at: Date | undefined, period: Period): string {
  if (!at) return '';
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { month: 'short', day: 'numeric' } as const;
  const options = periods[period].bar < 24 * hour ? { ...day, ...time } : day;
  return new Intl.DateTimeFormat(formatsOf(text.locale), { ...options, timeZone: 'UTC' }).format(
    at,
  );
}
