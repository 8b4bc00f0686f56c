import type { listActive } from '#lib/management/overview.ts';
import { countIn } from '#lib/messages/formats.ts';
import { pageText } from '../../locale.ts';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';

type App = Awaited<ReturnType<typeof listActive>>[number];

/** The active apps; a number of refused requests leads to the failed attempts. */
export async function AppActivity({ clients }: { clients: readonly App[] }) {
  const text = await pageText();
  if (clients.length === 0) return <p className="text-ink-soft">{text('overview.appsNone')}</p>;
  return (
    <Table
      caption={text('overview.apps')}
      columns={[
        { key: 'client', label: text('overview.columnClient') },
        {
          key: 'refused',
          label: text('overview.columnRefused'),
          numeric: true,
          sorted: 'descending',
        },
        { key: 'issued', label: text('overview.columnIssued'), numeric: true },
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
          issued: countIn(text.locale, client.issued),
        },
      }))}
    />
  );
}

async function Refused({ client: { id, name, refused } }: { client: App }) {
  const text = await pageText();
  if (refused === 0) return '0';
  return (
    <QuickLink
      className="gh-link font-semibold"
      href={failedAttempts(id)}
      aria-label={text('overview.failedOf', { count: refused, name })}
    >
      {countIn(text.locale, refused)}
    </QuickLink>
  );
}

/** Where the failed attempts of an app are listed. */
export const failedAttempts = (id: string) =>
  `/admin/traces?${new URLSearchParams({ client: id, result: 'failed' })}`;
