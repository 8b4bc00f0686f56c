import type { listBusiest } from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { UserText } from '../../ui/user-text.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { Table } from '../ui/table.tsx';

type Props = { clients: Awaited<ReturnType<typeof listBusiest>> };

/** The clients with most tokens, each with its share as a bar. */
export function Busiest({ clients }: Props) {
  if (clients.length === 0) return <p className="text-ink-soft">{words.busiestNone}</p>;
  const most = Math.max(...clients.map(({ issued }) => issued));
  return (
    <Table
      caption={words.busiestTable}
      columns={[
        { key: 'client', label: words.columnClient },
        { key: 'issued', label: words.columnIssued, numeric: true, sorted: 'descending' },
        { key: 'refused', label: words.columnRefused, numeric: true },
      ]}
      rows={clients.map((client) => ({
        key: client.id,
        cells: {
          client: (
            <>
              <QuickLink
                className="gh-link font-semibold"
                href={`/admin/clients/${encodeURIComponent(client.id)}`}
              >
                <UserText text={client.name} />
              </QuickLink>
              <svg
                aria-hidden="true"
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                className="mt-1.5 block h-1 w-full"
              >
                <rect
                  className="fill-accent"
                  x={0}
                  y={0}
                  width={(client.issued / most) * 100}
                  height={4}
                />
              </svg>
            </>
          ),
          issued: client.issued.toLocaleString('en'),
          refused: client.refused.toLocaleString('en'),
        },
      }))}
    />
  );
}
