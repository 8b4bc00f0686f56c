import type { ActiveClient } from '#lib/management/overview.ts';
import { countIn } from '#lib/messages/formats.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { Sparkline } from './sparkline.tsx';

type AppActivityProps = {
  clients: readonly ActiveClient[];
  /** IDs of apps that fail because of their set-up. The others might just have met a wrong link. */
  failing: ReadonlySet<string>;
};

/** The active apps. The number of refused requests links to the failed attempts. */
export async function AppActivity({ clients, failing }: AppActivityProps) {
  const text = await pageText();
  if (clients.length === 0) return <p className="text-ink-soft">{text('overview.appsNone')}</p>;
  return (
    <Table
      caption={text('overview.apps')}
      columns={[
        { key: 'client', label: text('overview.columnClient') },
        { key: 'issued', label: text('overview.columnIssued') },
        { key: 'refused', label: text('overview.columnRefused'), numeric: true },
        { key: 'last', label: text('overview.columnLast') },
      ]}
      rows={clients.map((client) => ({
        key: client.id,
        cells: {
          client: <Name client={client} />,
          issued: (
            <span className="flex items-center gap-3">
              <Sparkline values={client.tokens} failing={failing.has(client.id)} />
              <span className="tabular-nums">{countIn(text.locale, client.issued)}</span>
            </span>
          ),
          refused: <Refused client={client} />,
          last: <Last client={client} failing={failing.has(client.id)} />,
        },
      }))}
    />
  );
}

function Name({ client: { id, name, logo } }: { client: ActiveClient }) {
  return (
    <span className="flex items-center gap-2.5">
      <AppMark id={id} name={name} image={logo} className="size-7 text-sm" />
      <QuickLink className="gh-name" href={clientPage(id)}>
        <UserText text={name} />
      </QuickLink>
    </span>
  );
}

/** The latest attempt: if it was refused, the reason, and when it was. */
async function Last({
  client: { rule, lastAt },
  failing,
}: {
  client: ActiveClient;
  failing: boolean;
}) {
  const text = await pageText();
  const why =
    rule &&
    (sayIn(text.locale)(`attempts.rules.${rule}.what`) ?? text('attempts.rules.other.what'));
  return (
    <>
      {why && (
        <>
          <span className={failing ? 'text-danger' : undefined}>{why}</span>
          {' · '}
        </>
      )}
      <span className="text-ink-soft">
        <When at={lastAt} never="–" locale={text.locale} />
      </span>
    </>
  );
}

async function Refused({ client: { id, name, refused } }: { client: ActiveClient }) {
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

export const failedAttempts = (id: string) =>
  `/admin/traces?${new URLSearchParams({ client: id, result: 'failed' })}`;
