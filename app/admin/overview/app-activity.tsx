import type { listActive } from '#lib/management/overview.ts';
import { overviewWords as words } from '#lib/messages/admin/overview.ts';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';

type App = Awaited<ReturnType<typeof listActive>>[number];

/** The active apps; a number of refused requests leads to the failed attempts. */
export function AppActivity({ clients }: { clients: readonly App[] }) {
  if (clients.length === 0) return <p className="text-ink-soft">{words.appsNone}</p>;
  return (
    <Table
      caption={words.apps}
      columns={[
        { key: 'client', label: words.columnClient },
        { key: 'refused', label: words.columnRefused, numeric: true, sorted: 'descending' },
        { key: 'issued', label: words.columnIssued, numeric: true },
      ]}
      rows={clients.map((client) => ({
        key: client.id,
        cells: {
          client: (
            <QuickLink className="gh-link font-semibold" href={clientPage(client.id)}>
              <UserText text={client.name} />
            </QuickLink>
          ),
          refused: <Refused client={client} />,
          issued: client.issued.toLocaleString('en'),
        },
      }))}
    />
  );
}

function Refused({ client: { id, name, refused } }: { client: App }) {
  if (refused === 0) return '0';
  return (
    <QuickLink
      className="gh-link font-semibold"
      href={failedAttempts(id)}
      aria-label={words.failedOf(refused, name)}
    >
      {refused.toLocaleString('en')}
    </QuickLink>
  );
}

/** Where the failed attempts of an app are listed. */
export const failedAttempts = (id: string) =>
  `/admin/traces?${new URLSearchParams({ client: id, result: 'failed' })}`;
