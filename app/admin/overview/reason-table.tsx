import type { ReasonCount } from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { traceWords } from '#lib/messages/admin/traces.ts';
import { Table } from '../../ui/table.tsx';
import { hrefOf } from '../ui/pager.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

/** Why requests were refused, each reason with a link to its attempts: of one app, or of all. */
export function ReasonTable({
  reasons,
  clientId,
}: {
  reasons: readonly ReasonCount[];
  clientId?: string;
}) {
  return (
    <Table
      caption={words.reasons}
      columns={[
        { key: 'reason', label: traceWords.reason },
        { key: 'day', label: words.periods['24h'], numeric: true },
        { key: 'week', label: words.periods['7d'], numeric: true },
      ]}
      rows={reasons.map(({ rule, day, week }) => ({
        key: rule,
        cells: {
          reason: (
            <QuickLink
              className="gh-link font-semibold"
              href={hrefOf('/admin/traces', { client: clientId, reason: rule })}
            >
              {(traceWords.rules[rule] ?? traceWords.rules.other).what}
            </QuickLink>
          ),
          day: day.toLocaleString('en'),
          week: week.toLocaleString('en'),
        },
      }))}
    />
  );
}
