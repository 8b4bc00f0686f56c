import { type ClientFilter, type ClientSummary, listClients } from '#lib/management/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { logoAt } from '#lib/store/logos.ts';
import { requireAdmin } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Day } from '../../ui/day.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { filterOf, ListPage, switchOf } from '../ui/list-page.tsx';
import { hrefOf } from '../ui/pager.tsx';
import { oneOf, readParams, type SearchParams } from '../ui/params.ts';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

const path = '/admin/clients';

export default async function ClientsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const query = await readParams(searchParams);
  const { rows, next } = await orNotFound(listClients(wantedOf(query)));
  const filtered = ['q', 'type', 'state', 'party', 'scope'].some((name) => query[name]);
  const add = <QuickButton href="/admin/new-client">{words.add}</QuickButton>;
  return (
    <ListPage
      title={words.title}
      text={query.scope ? words.scopeFilter(query.scope) : words.lead}
      actions={add}
      path={path}
      query={query}
      search={{ label: words.search, placeholder: words.searchHint }}
      filters={filtersOf(query)}
      caption={words.list}
      columns={[
        {
          key: 'name',
          label: words.columnName,
          sorted: query.sort === 'name' ? 'ascending' : undefined,
        },
        { key: 'type', label: words.columnType },
        {
          key: 'made',
          label: words.columnMade,
          sorted: query.sort === 'name' ? undefined : 'descending',
        },
      ]}
      rows={rows.map((client) => ({ key: client.id, cells: cellsOf(client) }))}
      empty={
        filtered ? (
          <EmptyState title={words.nothingFound} text={words.nothingFoundText} />
        ) : (
          <EmptyState title={words.none} text={words.noneText} action={add} />
        )
      }
      next={next}
    />
  );
}

function wantedOf(query: Record<string, string>): ClientFilter {
  return {
    search: query.q?.slice(0, 200),
    type: oneOf(['confidential', 'public'], query.type),
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    firstParty: switchOf(query.party, 'ours', 'others'),
    scope: query.scope || undefined,
    sort: oneOf(['newest', 'name'], query.sort),
    cursor: query.after || undefined,
  };
}

const option = (value: string, label: string) => ({ value, label });

function filtersOf(query: Record<string, string>) {
  const all = option('', words.all);
  return [
    filterOf(
      'type',
      words.filterType,
      [all, option('confidential', words.confidential), option('public', words.public)],
      query,
    ),
    filterOf(
      'state',
      words.filterState,
      [all, option('enabled', words.enabled), option('disabled', words.disabled)],
      query,
    ),
    filterOf(
      'party',
      words.filterParty,
      [all, option('ours', words.ours), option('others', words.others)],
      query,
    ),
    filterOf('sort', words.sort, [option('', words.newest), option('name', words.byName)], query),
  ];
}

function cellsOf(client: ClientSummary) {
  return {
    name: (
      <div className="flex items-center gap-3">
        <Avatar
          name={client.name}
          image={logoAt(client.id, client.logo)}
          shape="square"
          className="size-9 text-base"
        />
        <div className="min-w-0">
          <QuickLink
            className="gh-link font-semibold"
            href={hrefOf(`${path}/${encodeURIComponent(client.id)}`, {})}
          >
            <UserText text={client.name} />
          </QuickLink>
          <p className="font-mono text-xs break-all text-ink-soft">{client.id}</p>
        </div>
      </div>
    ),
    type: (
      <div className="flex flex-wrap gap-1.5">
        <Badge>{client.type === 'public' ? words.public : words.confidential}</Badge>
        {client.firstParty && <Badge tone="accent">{words.ours}</Badge>}
        {client.resourceServer && <Badge>{words.resourceServer}</Badge>}
        {client.disabledAt && <Badge tone="danger">{words.disabled}</Badge>}
      </div>
    ),
    made: <Day locale="en" at={client.createdAt.toISOString()} />,
  };
}
