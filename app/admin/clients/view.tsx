import type { ListedApp } from '#lib/management/client/app-list.ts';
import { appTroubles } from '#lib/management/overview.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal, totalIn } from '#lib/messages/total.ts';
import { hasRules } from '#lib/oauth/sign-in-rules.ts';
import { pictureOf } from '#lib/store/logos.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { hrefOf } from '../ui/href.ts';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { type Choice, choiceOf } from '../ui/table/filters.tsx';
import { List } from '../ui/table/list.tsx';
import { filtersIn } from '../ui/table/order.ts';
import { listWords } from '../ui/table/words.tsx';
import { kindOf } from './kind-of.ts';
import type { Clients } from './screen.ts';
import { RefusedOnes, WaitingCard } from './waiting-card.tsx';

type Query = Readonly<Record<string, string>>;

export async function ClientsView({ query, clients }: { query: Query; clients: Clients }) {
  const text = await pageText();
  const { page, sort, kept, waiting, refused } = clients;
  const { rows, ...list } = page;
  const add = (
    <QuickButton size="small" href="/admin/clients/new">
      {text('clients.add')}
    </QuickButton>
  );
  return (
    <List
      {...listWords(text, 'clients', { query, total: list.total, add })}
      {...(query.scope && { text: text('clients.scopeFilter', { name: query.scope }) })}
      actions={
        <>
          <ButtonLink
            kind="secondary"
            size="small"
            href={hrefOf('/admin/clients/export', filtersIn(query))}
          >
            {text('table.export')}
          </ButtonLink>
          {add}
        </>
      }
      before={
        <>
          <WaitingCard waiting={waiting} />
          <RefusedOnes refused={refused} />
        </>
      }
      path="/admin/clients"
      query={query}
      hint={text('clients.searchHint')}
      filters={filtersOf(text, query)}
      columns={[
        { key: 'name', label: text('clients.columnName'), sort: ['name', 'ascending'] },
        { key: 'kind', label: text('clients.columnKind'), phone: 'line', wide: true },
        { key: 'people', label: text('clients.columnPeople'), numeric: true },
        { key: 'used', label: text('clients.columnUsed'), sort: ['used', 'descending'] },
        { key: 'failures', label: text('clients.columnFailures') },
        {
          key: 'made',
          label: text('clients.columnMade'),
          sort: ['created', 'descending'],
          phone: 'none',
        },
      ]}
      sort={sort}
      list={list}
      rows={rows.map((client) => ({ key: client.id, cells: cellsOf(text, client, kept) }))}
    />
  );
}

function filtersOf(text: Text, query: Query) {
  const all: Choice = ['', text('clients.all')];
  return [
    choiceOf(query, 'type', text('clients.filterType'), [
      all,
      ['confidential', text('clients.confidential')],
      ['public', text('clients.public')],
      ['agent', text('clients.agents')],
    ]),
    choiceOf(query, 'state', text('clients.filterState'), [
      all,
      ['enabled', text('clients.enabled')],
      ['disabled', text('clients.disabled')],
    ]),
    choiceOf(query, 'party', text('clients.filterParty'), [
      all,
      ['ours', text('clients.ours')],
      ['others', text('clients.others')],
    ]),
    choiceOf(query, 'attention', text('overview.attention'), [
      all,
      ...appTroubles.map((trouble): Choice => [trouble, text(`overview.${trouble}.filter`)]),
    ]),
    choiceOf(query, 'origin', text('newApps.filter'), [
      all,
      ['admin', text('newApps.byAdmins')],
      ['itself', text('newApps.byThemselves')],
      ['document', text('newApps.byDocument')],
      ['registration', text('newApps.byRegistration')],
    ]),
  ];
}

function cellsOf(text: Text, { facts, ...client }: ListedApp, kept: ReadonlySet<string>) {
  return {
    name: (
      <div className="gh-who gh-one">
        <AppMark
          id={client.id}
          name={client.shownName}
          image={pictureOf(client)}
          className="size-6.5 text-xs"
        />
        <QuickLink className="gh-name" href={clientPage(client.id)} title={client.id}>
          <UserText text={client.shownName} />
        </QuickLink>
        {client.firstParty && <Badge tone="accent">{text('clients.ours')}</Badge>}
        {client.agent && <Badge tone="accent">{text('clients.agentBadge')}</Badge>}
        {client.origin !== 'admin' && <Badge tone="warning">{text('newApps.badge')}</Badge>}
        {client.resourceServer && <Badge>{text('clients.resourceServer')}</Badge>}
        {client.access === 'listed' && <Badge>{text('access.restricted')}</Badge>}
        {hasRules(client) && <Badge>{text('rules.badge')}</Badge>}
        {kept.has(client.id) && <KeptBadge />}
        {client.disabledAt && <Badge tone="danger">{text('clients.disabled')}</Badge>}
      </div>
    ),
    kind: <span className="gh-line">{kindOf(text, client)}</span>,
    people: (
      <QuickLink
        className="gh-link"
        href={hrefOf('/admin/approvals/matrix', { client: client.id })}
        aria-label={text('people.total', ofTotal(facts.people))}
      >
        {totalIn(text.locale, facts.people)}
      </QuickLink>
    ),
    used: <When locale={text.locale} at={client.lastUsedAt} never={text('people.never')} />,
    failures: <Failures id={client.id} facts={facts} />,
    made: <When locale={text.locale} at={client.createdAt} />,
  };
}

/**
 * The number of refused requests, linked to the attempts, and the reason for the latest refusal.
 */
async function Failures({ id, facts }: { id: string; facts: ListedApp['facts'] }) {
  const text = await pageText();
  const { refusedInDay, refusedInWeek, failure } = facts;
  if (refusedInWeek === 0)
    return <span className="text-ink-soft">{text('clients.failuresNone')}</span>;
  return (
    <span className="gh-line">
      <QuickLink
        className="gh-link"
        href={hrefOf('/admin/traces', { client: id, result: 'failed' })}
      >
        {text('clients.failures', { inDay: refusedInDay, inWeek: refusedInWeek })}
      </QuickLink>
      {failure?.rule && (
        <span className="text-xs"> {text(`attempts.rules.${failure.rule}.what`)}</span>
      )}
    </span>
  );
}
