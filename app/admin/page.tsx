import { untrustedProxies } from '#lib/http/address.ts';
import {
  listAttention,
  listBusiest,
  type Period,
  periods,
  readActivity,
} from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { requireAdmin } from '../guards.ts';
import { Card } from '../ui/card.tsx';
import { AttentionList } from './overview/attention-list.tsx';
import { Busiest } from './overview/busiest.tsx';
import { SeriesCard } from './overview/series-card.tsx';
import { AdminNotice } from './ui/admin-notice.tsx';
import { AdminPage } from './ui/admin-page.tsx';
import { oneOf, readParams, type SearchParams } from './ui/params.ts';
import { QuickLink } from './ui/quick-link.tsx';

const known = Object.keys(periods) as Period[];

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const period = oneOf(known, (await readParams(searchParams)).period) ?? '24h';
  const now = new Date();
  const proxies = [...untrustedProxies()];
  const [activity, busiest, attention] = await Promise.all([
    readActivity(period, now),
    listBusiest(period, now),
    listAttention(now),
  ]);
  return (
    <AdminPage title={words.title} text={words.lead} actions={<Periods chosen={period} />}>
      {proxies.length > 0 && (
        <AdminNotice kind="warning">{words.untrustedProxies(proxies.join(', '))}</AdminNotice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {activity.map((series) => (
          <SeriesCard key={series.name} series={series} period={period} />
        ))}
      </div>
      <Card id="attention" title={words.attention}>
        <AttentionList attention={attention} />
      </Card>
      <Card id="busiest" title={words.busiest} text={words.inPeriod[period]}>
        <Busiest clients={busiest} />
      </Card>
    </AdminPage>
  );
}

function Periods({ chosen }: { chosen: Period }) {
  return (
    <nav aria-label={words.period} className="flex rounded-xl border border-line bg-surface p-1">
      {known.map((period) => (
        <QuickLink
          key={period}
          href={period === '24h' ? '/admin' : `/admin?period=${period}`}
          aria-current={period === chosen ? 'true' : undefined}
          className={`rounded-lg px-3 py-1.5 text-sm font-semibold ${period === chosen ? 'bg-accent-tint text-accent' : 'text-ink-soft hover:text-ink'}`}
        >
          {words.periods[period]}
        </QuickLink>
      ))}
    </nav>
  );
}
