import type { ListedApp } from '#lib/management/client/app-list.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal, totalIn } from '#lib/messages/total.ts';
import { hasRules } from '#lib/oauth/sign-in-rules.ts';
import { logoAt } from '#lib/store/logos.ts';
import { pageText } from '../../locale.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Day } from '../../ui/day.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { hrefOf } from '../ui/href.ts';
import { KeptBadge } from '../ui/kept.tsx';
import { filterOf, ListPage } from '../ui/list-page.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { Since } from '../ui/since.tsx';
import { kindOf } from './kind-of.ts';
import type { Clients } from './screen.ts';
import { RefusedOnes, WaitingCard } from './waiting-card.tsx';

type Query = Readonly<Record<string, string>>;

/** The apps of a server. */
export async function ClientsView({ query, clients }: { query: Query; clients: Clients }) {
  const text = await pageText();
  const { page, kept, waiting, refused } = clients;
  const { rows, total, next, previous } = page;
  const filtered = ['q', 'type', 'state', 'party', 'origin', 'scope', 'after'].some(
    (name) => query[name],
  );
  const add = <QuickButton href="/admin/clients/new">{text('clients.add')}</QuickButton>;
  return (
    <ListPage
      title={text('clients.title')}
      text={query.scope ? text('clients.scopeFilter', { name: query.scope }) : text('clients.lead')}
      actions={add}
      before={
        <>
          <WaitingCard waiting={waiting} />
          <RefusedOnes refused={refused} />
        </>
      }
      path="/admin/clients"
      query={query}
      search={{ label: text('clients.search'), placeholder: text('clients.searchHint') }}
      filters={filtersOf(text, query)}
      caption={text('clients.list')}
      columns={[
        {
          key: 'name',
          label: text('clients.columnName'),
          sorted: query.sort === 'name' ? 'ascending' : undefined,
        },
        { key: 'kind', label: text('clients.columnKind') },
        { key: 'people', label: text('clients.columnPeople'), numeric: true },
        { key: 'used', label: text('clients.columnUsed') },
        { key: 'failures', label: text('clients.columnFailures') },
        {
          key: 'made',
          label: text('clients.columnMade'),
          sorted: query.sort === 'name' ? undefined : 'descending',
        },
      ]}
      rows={rows.map((client) => ({ key: client.id, cells: cellsOf(text, client, kept) }))}
      empty={
        filtered ? (
          <EmptyState
            title={text('clients.nothingFound')}
            text={text('clients.nothingFoundText')}
          />
        ) : (
          <EmptyState title={text('clients.none')} text={text('clients.noneText')} action={add} />
        )
      }
      total={text('clients.total', ofTotal(total))}
      next={next}
      previous={previous}
    />
  );
}

type Choice = readonly [value: string, label: string];

function filtersOf(text: Text, query: Query) {
  const filter = (name: string, label: string, choices: readonly Choice[]) =>
    filterOf(
      name,
      label,
      choices.map(([value, said]) => ({ value, label: said })),
      query,
    );
  const all: Choice = ['', text('clients.all')];
  return [
    filter('type', text('clients.filterType'), [
      all,
      ['confidential', text('clients.confidential')],
      ['public', text('clients.public')],
    ]),
    filter('state', text('clients.filterState'), [
      all,
      ['enabled', text('clients.enabled')],
      ['disabled', text('clients.disabled')],
    ]),
    filter('party', text('clients.filterParty'), [
      all,
      ['ours', text('clients.ours')],
      ['others', text('clients.others')],
    ]),
    filter('origin', text('newApps.filter'), [
      all,
      ['admin', text('newApps.byAdmins')],
      ['itself', text('newApps.byThemselves')],
      ['document', text('newApps.byDocument')],
      ['registration', text('newApps.byRegistration')],
    ]),
    filter('sort', text('clients.sort'), [
      ['', text('clients.newest')],
      ['name', text('clients.byName')],
    ]),
  ];
}

function cellsOf(text: Text, { facts, ...client }: ListedApp, kept: ReadonlySet<string>) {
  return {
    name: (
      <div className="flex items-center gap-3">
        <Avatar
          name={client.shownName}
          image={logoAt(client.id, client.logo)}
          shape="square"
          className="size-9 text-base"
        />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <QuickLink className="gh-link font-semibold wrap-anywhere" href={clientPage(client.id)}>
              <UserText text={client.shownName} />
            </QuickLink>
            {client.firstParty && <Badge tone="accent">{text('clients.ours')}</Badge>}
            {client.origin !== 'admin' && <Badge tone="warning">{text('newApps.badge')}</Badge>}
            {client.resourceServer && <Badge>{text('clients.resourceServer')}</Badge>}
            {client.access === 'listed' && <Badge>{text('access.restricted')}</Badge>}
            {hasRules(client) && <Badge>{text('rules.badge')}</Badge>}
            {kept.has(client.id) && <KeptBadge />}
            {client.disabledAt && <Badge tone="danger">{text('clients.disabled')}</Badge>}
          </div>
          <p className="font-mono text-xs break-all text-ink-soft">{client.id}</p>
        </div>
      </div>
    ),
    kind: kindOf(text, client),
    people: (
      <QuickLink
        className="gh-link"
        href={clientPage(client.id, 'access')}
        aria-label={text('people.total', ofTotal(facts.people))}
      >
        {totalIn(text.locale, facts.people)}
      </QuickLink>
    ),
    used: <Since locale={text.locale} at={client.lastUsedAt} never={text('people.never')} />,
    failures: <Failures id={client.id} facts={facts} />,
    made: <Day locale={text.locale} at={client.createdAt.toISOString()} />,
  };
}

/** How many requests were refused, leading to the attempts; below it why the latest was. */
async function Failures({ id, facts }: { id: string; facts: ListedApp['facts'] }) {
  const text = await pageText();
  const { refusedInDay, refusedInWeek, failure } = facts;
  if (refusedInWeek === 0)
    return <span className="text-ink-soft">{text('clients.failuresNone')}</span>;
  return (
    <>
      <QuickLink
        className="gh-link"
        href={hrefOf('/admin/traces', { client: id, result: 'failed' })}
      >
        {text('clients.failures', { inDay: refusedInDay, inWeek: refusedInWeek })}
      </QuickLink>
      {failure?.rule && (
        <span className="block text-xs text-ink-soft">
          {text(`attempts.rules.${failure.rule}.what`)}
        </span>
      )}
    </>
  );
}
