import type { ReasonCount } from '#lib/management/overview.ts';
import { countIn } from '#lib/messages/formats.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Table } from '../../ui/table.tsx';
import { hrefOf } from '../ui/href.ts';
import { QuickLink } from '../ui/quick-link.tsx';

/** Why requests of one app or all apps were refused; each reason links to its attempts. */
export async function ReasonTable({
  reasons,
  clientId,
}: {
  reasons: readonly ReasonCount[];
  clientId?: string;
}) {
  const text = await pageText();
  const say = sayIn(text.locale);
  return (
    <Table
      caption={text('overview.reasons')}
      columns={[
        { key: 'reason', label: text('attempts.reason') },
        { key: 'day', label: text('overview.periods.24h'), numeric: true },
        { key: 'week', label: text('overview.periods.7d'), numeric: true },
      ]}
      rows={reasons.map(({ rule, day, week }) => ({
        key: rule,
        cells: {
          reason: (
            <QuickLink
              className="gh-link font-semibold"
              href={hrefOf('/admin/traces', { client: clientId, reason: rule })}
            >
              {say(`attempts.rules.${rule}.what`) ?? text('attempts.rules.other.what')}
            </QuickLink>
          ),
          day: countIn(text.locale, day),
          week: countIn(text.locale, week),
        },
      }))}
    />
  );
}
