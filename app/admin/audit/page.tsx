import { listAudit } from '#lib/management/audit-event/audit.ts';
import { auditWords as words } from '#lib/messages/admin/audit.ts';
import { totalOf } from '#lib/messages/admin/frame.ts';
import { countAudit } from '#lib/store/audit-list.ts';
import { readSettings } from '#lib/store/settings.ts';
import { requirePermission } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Counted } from '../ui/counted.tsx';
import { WhichOne } from '../ui/match.tsx';
import { hrefOf, Pager } from '../ui/pager.tsx';
import { SearchFields } from '../ui/search-fields.tsx';
import { EventList } from './event-list.tsx';
import { type Asked, readAsked } from './filter.ts';

const path = '/admin/audit';

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const query = await readParams(searchParams);
  const asked = await readAsked(query);
  const { rows, next, previous } = asked.filter
    ? await orNotFound(listAudit({ ...asked.filter, cursor: query.after || undefined }))
    : { rows: [], next: null, previous: null };
  const fields = fieldsOf(query, asked);
  const searched = fields.some(({ value }) => value !== '');
  return (
    <AdminPage title={words.title} text={words.lead} actions={<Exports query={query} />}>
      <SearchFields action={path} label={words.search} fields={fields} />
      <WhichOne path={path} query={query} name="person" meant={asked.person} />
      <WhichOne path={path} query={query} name="client" meant={asked.client} />
      <WhichOne path={path} query={query} name="actor" meant={asked.actor} />
      {rows.length > 0 && asked.filter && (
        <Counted total={totalOf(await countAudit(asked.filter), words.one, words.several)}>
          <EventList events={rows} />
        </Counted>
      )}
      {rows.length === 0 && asked.filter && (
        <EmptyState
          icon="clock"
          title={searched ? words.nothingFound : words.nothing}
          text={searched ? words.nothingFoundText : undefined}
        />
      )}
      <Pager path={path} query={query} next={next} previous={previous} />
      <Kept />
    </AdminPage>
  );
}

/** The same search as a file. */
function Exports({ query }: { query: Record<string, string> }) {
  const { after: _, ...search } = query;
  return (
    <>
      <ButtonLink
        kind="secondary"
        size="small"
        href={hrefOf(`${path}/export`, { ...search, format: 'csv' })}
      >
        {words.exportCsv}
      </ButtonLink>
      <ButtonLink
        kind="secondary"
        size="small"
        href={hrefOf(`${path}/export`, { ...search, format: 'json' })}
      >
        {words.exportJson}
      </ButtonLink>
    </>
  );
}

async function Kept() {
  const { auditRetentionDays } = await readSettings();
  return <p className="text-sm text-ink-soft">{words.kept(auditRetentionDays)}</p>;
}

function fieldsOf(query: Record<string, string>, asked: Asked) {
  const areas = Object.entries(words.areas).map(([value, label]) => ({
    value,
    label: String(label),
  }));
  const typed = (name: 'person' | 'client' | 'actor') => {
    const meant = asked[name];
    const isId = meant && 'one' in meant && meant.one.id === query[name];
    return isId ? meant.one.label : (query[name] ?? '');
  };
  return [
    {
      name: 'type',
      label: words.type,
      value: query.type ?? '',
      options: [
        { value: '', label: words.everything },
        ...(query.type && !(query.type in words.areas)
          ? [{ value: query.type, label: query.type }]
          : []),
        ...areas,
      ],
    },
    { name: 'person', label: words.person, value: typed('person') },
    { name: 'client', label: words.client, value: typed('client') },
    { name: 'actor', label: words.actor, value: typed('actor') },
    { name: 'from', label: words.since, type: 'date' as const, value: query.from ?? '' },
    { name: 'to', label: words.until, type: 'date' as const, value: query.to ?? '' },
  ];
}
