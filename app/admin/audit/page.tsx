import { listAuditAt } from '#lib/management/audit-event/audit.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { auditAreas } from '#lib/store/audit-entry.ts';
import { readSettings } from '#lib/store/settings.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageZone } from '../../zone.ts';
import { hrefOf } from '../ui/href.ts';
import { namedIn, WhichOne } from '../ui/match.tsx';
import { dayFilters, dayShortcuts, onwardFrom } from '../ui/table/days.ts';
import { type Choice, choiceOf, type Filter } from '../ui/table/filters.tsx';
import { List } from '../ui/table/list.tsx';
import { filtersIn, pageIn } from '../ui/table/order.ts';
import { eventColumns, eventRow } from './event-list.tsx';
import { type Asked, readAsked } from './filter.ts';

const path = '/admin/audit';

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage(path);
  const text = await pageText();
  const zone = await pageZone();
  const query = await readParams(searchParams);
  const asked = await readAsked(query, zone);
  const { rows, ...list } = asked.filter
    ? await listAuditAt({ ...asked.filter, folded: true }, pageIn(query))
    : { rows: [], total: { count: 0, more: false }, page: 1 };
  const filters = filtersOf(text, query, asked);
  const searched = filters.some(({ value }) => value !== '');
  return (
    <List
      title={text('audit.title')}
      text={text('audit.lead')}
      actions={<Exports query={query} />}
      before={
        <>
          <WhichOne path={path} query={query} name="person" meant={asked.person} />
          <WhichOne path={path} query={query} name="client" meant={asked.client} />
          <WhichOne path={path} query={query} name="actor" meant={asked.actor} />
        </>
      }
      path={path}
      query={query}
      search={text('audit.search')}
      filters={filters}
      shortcuts={dayShortcuts(text, { path, query, zone }, new Date())}
      caption={text('audit.list')}
      columns={eventColumns(text)}
      list={list}
      rows={rows.map((event) => eventRow(text, event))}
      empty={
        asked.filter && (
          <EmptyState
            icon="clock"
            title={searched ? text('audit.nothingFound') : text('audit.nothing')}
            text={searched ? text('audit.nothingFoundText') : undefined}
          />
        )
      }
      says={text('audit.total', ofTotal(list.total))}
      onward={onwardFrom({ path, query, zone }, rows.at(-1)?.at)}
      after={<Kept />}
    />
  );
}

/** Links to export the results of this search. */
async function Exports({ query }: { query: Record<string, string> }) {
  const text = await pageText();
  const search = filtersIn(query);
  return (
    <>
      <ButtonLink
        kind="secondary"
        size="small"
        href={hrefOf(`${path}/export`, { ...search, format: 'csv' })}
      >
        {text('audit.exportCsv')}
      </ButtonLink>
      <ButtonLink
        kind="secondary"
        size="small"
        href={hrefOf(`${path}/export`, { ...search, format: 'json' })}
      >
        {text('audit.exportJson')}
      </ButtonLink>
    </>
  );
}

async function Kept() {
  const text = await pageText();
  const { auditRetentionDays } = await readSettings();
  return (
    <p className="text-sm text-ink-soft">{text('audit.kept', { days: auditRetentionDays })}</p>
  );
}

function filtersOf(text: Text, query: Record<string, string>, asked: Asked): Filter[] {
  const known: readonly string[] = auditAreas;
  const one = query.type && !known.includes(query.type) ? [query.type] : [];
  return [
    choiceOf(query, 'type', text('audit.type'), [
      ['', text('audit.everything')],
      ...one.map((type): Choice => [type, type]),
      ...auditAreas.map((area): Choice => [area, text(`audit.areas.${area}`)]),
    ]),
    { name: 'person', label: text('audit.person'), ...namedIn(query, 'person', asked) },
    { name: 'client', label: text('audit.client'), ...namedIn(query, 'client', asked) },
    { name: 'actor', label: text('audit.actor'), ...namedIn(query, 'actor', asked) },
    ...dayFilters(text, query),
    { name: 'request', label: text('attempts.request'), value: query.request ?? '' },
  ];
}
