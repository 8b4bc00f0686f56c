import type { ListedApp } from '#lib/management/client/app-list.ts';
import { accessWords } from '#lib/messages/admin/access.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { countOf, totalOf } from '#lib/messages/admin/frame.ts';
import { newAppWords } from '#lib/messages/admin/new-apps.ts';
import { peopleWords } from '#lib/messages/admin/people.ts';
import { rulesWords } from '#lib/messages/admin/rules.ts';
import { traceWords } from '#lib/messages/admin/traces.ts';
import { hasRules } from '#lib/oauth/sign-in-rules.ts';
import { logoAt } from '#lib/store/logos.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Day } from '../../ui/day.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { KeptBadge } from '../ui/kept.tsx';
import { filterOf, ListPage } from '../ui/list-page.tsx';
import { hrefOf } from '../ui/pager.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { Since } from '../ui/since.tsx';
import { kindOf } from './kind-of.ts';
import type { Clients } from './screen.ts';
import { RefusedOnes, WaitingCard } from './waiting-card.tsx';

type Query = Readonly<Record<string, string>>;

/** The apps of a server. */
export function ClientsView({ query, clients }: { query: Query; clients: Clients }) {
  const { page, kept, waiting, refused } = clients;
  const { rows, total, next, previous } = page;
  const filtered = ['q', 'type', 'state', 'party', 'origin', 'scope', 'after'].some(
    (name) => query[name],
  );
  const add = <QuickButton href="/admin/clients/new">{words.add}</QuickButton>;
  return (
    <ListPage
      title={words.title}
      text={query.scope ? words.scopeFilter(query.scope) : words.lead}
      actions={add}
      before={
        <>
          <WaitingCard waiting={waiting} />
          <RefusedOnes refused={refused} />
        </>
      }
      path="/admin/clients"
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
        { key: 'kind', label: words.columnKind },
        { key: 'people', label: words.columnPeople, numeric: true },
        { key: 'used', label: words.columnUsed },
        { key: 'failures', label: words.columnFailures },
        {
          key: 'made',
          label: words.columnMade,
          sorted: query.sort === 'name' ? undefined : 'descending',
        },
      ]}
      rows={rows.map((client) => ({ key: client.id, cells: cellsOf(client, kept) }))}
      empty={
        filtered ? (
          <EmptyState title={words.nothingFound} text={words.nothingFoundText} />
        ) : (
          <EmptyState title={words.none} text={words.noneText} action={add} />
        )
      }
      total={totalOf(total, words.one, words.several)}
      next={next}
      previous={previous}
    />
  );
}

const option = (value: string, label: string) => ({ value, label });

function filtersOf(query: Query) {
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
    filterOf(
      'origin',
      newAppWords.filter,
      [
        all,
        option('admin', newAppWords.byAdmins),
        option('itself', newAppWords.byThemselves),
        option('document', newAppWords.byDocument),
        option('registration', newAppWords.byRegistration),
      ],
      query,
    ),
    filterOf('sort', words.sort, [option('', words.newest), option('name', words.byName)], query),
  ];
}

function cellsOf({ facts, ...client }: ListedApp, kept: ReadonlySet<string>) {
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
            {client.firstParty && <Badge tone="accent">{words.ours}</Badge>}
            {client.origin !== 'admin' && <Badge tone="warning">{newAppWords.badge}</Badge>}
            {client.resourceServer && <Badge>{words.resourceServer}</Badge>}
            {client.access === 'listed' && <Badge>{accessWords.restricted}</Badge>}
            {hasRules(client) && <Badge>{rulesWords.badge}</Badge>}
            {kept.has(client.id) && <KeptBadge />}
            {client.disabledAt && <Badge tone="danger">{words.disabled}</Badge>}
          </div>
          <p className="font-mono text-xs break-all text-ink-soft">{client.id}</p>
        </div>
      </div>
    ),
    kind: kindOf(client),
    people: (
      <QuickLink
        className="gh-link"
        href={clientPage(client.id, 'access')}
        aria-label={totalOf(facts.people, peopleWords.one, peopleWords.several)}
      >
        {countOf(facts.people)}
      </QuickLink>
    ),
    used: <Since at={client.lastUsedAt} never={peopleWords.never} />,
    failures: <Failures id={client.id} facts={facts} />,
    made: <Day locale="en" at={client.createdAt.toISOString()} />,
  };
}

/** How many requests were refused, leading to the attempts; below it why the latest was. */
function Failures({ id, facts }: { id: string; facts: ListedApp['facts'] }) {
  const { refusedInDay, refusedInWeek, failure } = facts;
  if (refusedInWeek === 0) return <span className="text-ink-soft">{words.failuresNone}</span>;
  return (
    <>
      <QuickLink
        className="gh-link"
        href={hrefOf('/admin/traces', { client: id, result: 'failed' })}
      >
        {words.failures(refusedInDay, refusedInWeek)}
      </QuickLink>
      {failure?.rule && (
        <span className="block text-xs text-ink-soft">{traceWords.rules[failure.rule].what}</span>
      )}
    </>
  );
}
