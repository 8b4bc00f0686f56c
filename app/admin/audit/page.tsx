import { listAudit } from '#lib/management/audit-event/audit.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { countAudit } from '#lib/store/audit-list.ts';
import { readSettings } from '#lib/store/settings.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { orNotFound } from '../../or-not-found.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Counted } from '../ui/counted.tsx';
import { hrefOf } from '../ui/href.ts';
import { WhichOne } from '../ui/match.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchFields } from '../ui/search-fields.tsx';
import { EventList } from './event-list.tsx';
import { type Asked, readAsked } from './filter.ts';

const path = '/admin/audit';

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const text = await pageText();
  const query = await readParams(searchParams);
  const asked = await readAsked(query);
  const { rows, next, previous } = asked.filter
    ? await orNotFound(listAudit({ ...asked.filter, cursor: query.after || undefined }))
    : { rows: [], next: null, previous: null };
  const fields = fieldsOf(text, query, asked);
  const searched = fields.some(({ value }) => value !== '');
  return (
    <AdminPage
      title={text('audit.title')}
      text={text('audit.lead')}
      actions={<Exports query={query} />}
    >
      <SearchFields action={path} label={text('audit.search')} fields={fields} />
      <WhichOne path={path} query={query} name="person" meant={asked.person} />
      <WhichOne path={path} query={query} name="client" meant={asked.client} />
      <WhichOne path={path} query={query} name="actor" meant={asked.actor} />
      {rows.length > 0 && asked.filter && (
        <Counted total={text('audit.total', ofTotal(await countAudit(asked.filter)))}>
          <EventList events={rows} />
        </Counted>
      )}
      {rows.length === 0 && asked.filter && (
        <EmptyState
          icon="clock"
          title={searched ? text('audit.nothingFound') : text('audit.nothing')}
          text={searched ? text('audit.nothingFoundText') : undefined}
        />
      )}
      <Pager path={path} query={query} next={next} previous={previous} />
      <Kept />
    </AdminPage>
  );
}

/** The same search as a file. */
async function Exports({ query }: { query: Record<string, string> }) {
  const text = await pageText();
  const { after: _, ...search } = query;
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

/** What the types of events begin with. */
const areas = [
  'sign-in',
  'session',
  'consent',
  'device',
  'code',
  'refresh-token',
  'token',
  'client-auth',
  'factor',
  'password',
  'email',
  'user',
  'invitation',
  'client',
  'scope',
  'api',
  'group',
  'field',
  'registration-token',
  'api-key',
  'setting',
  'branding',
  'keys',
  'audit',
  'trace',
] as const;

function fieldsOf(text: Text, query: Record<string, string>, asked: Asked) {
  const options = areas.map((value) => ({ value, label: text(`audit.areas.${value}`) }));
  const typed = (name: 'person' | 'client' | 'actor') => {
    const meant = asked[name];
    const isId = meant && 'one' in meant && meant.one.id === query[name];
    return isId ? meant.one.label : (query[name] ?? '');
  };
  return [
    {
      name: 'type',
      label: text('audit.type'),
      value: query.type ?? '',
      options: [
        { value: '', label: text('audit.everything') },
        ...(query.type && !options.some(({ value }) => value === query.type)
          ? [{ value: query.type, label: query.type }]
          : []),
        ...options,
      ],
    },
    { name: 'person', label: text('audit.person'), value: typed('person') },
    { name: 'client', label: text('audit.client'), value: typed('client') },
    { name: 'actor', label: text('audit.actor'), value: typed('actor') },
    { name: 'from', label: text('audit.since'), type: 'date' as const, value: query.from ?? '' },
    { name: 'to', label: text('audit.until'), type: 'date' as const, value: query.to ?? '' },
  ];
}
