import { redirect } from 'next/navigation';
import { listTraces, type TraceFilter, traceOfRequest } from '#lib/management/attempt/traces.ts';
import { matchClient, matchUser } from '#lib/management/candidates.ts';
import { totalOf } from '#lib/messages/admin/frame.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { type Rule, rules } from '#lib/oauth/facts.ts';
import { totalAbove } from '#lib/store/engine/page.ts';
import { countTraces } from '#lib/store/trace-list.ts';
import { requirePermission } from '../../guards.ts';
import { orNotFound } from '../../or-not-found.ts';
import { oneOf, readParams, type SearchParams } from '../../params.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Counted } from '../ui/counted.tsx';
import { idOf, WhichOne } from '../ui/match.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchFields } from '../ui/search-fields.tsx';
import { AttemptTable } from './attempt-table.tsx';

const path = '/admin/traces';

export default async function TracesPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const query = await readParams(searchParams);
  const requestId = query.request?.trim();
  const found = requestId ? await traceOfRequest(requestId) : null;
  if (found) redirect(`${path}/${found}`);
  const person = query.person?.trim() ? await matchUser(query.person.trim()) : null;
  const client = query.client?.trim() ? await matchClient(query.client.trim()) : null;
  const [userId, clientId] = [idOf(person), idOf(client)];
  const unclear = userId === null || clientId === null || Boolean(requestId);
  const filter = {
    ...filterIn(query),
    userId: userId ?? undefined,
    clientId: clientId ?? undefined,
  };
  const page = unclear
    ? { rows: [], next: null, previous: null }
    : await orNotFound(listTraces({ ...filter, cursor: query.after || undefined }));
  const { rows, next, previous } = page;
  const fields = fieldsOf(query, {
    person:
      person && 'one' in person && person.one.id === query.person ? person.one.label : query.person,
    client:
      client && 'one' in client && client.one.id === query.client ? client.one.label : query.client,
  });
  const searched = fields.some(({ value }) => value !== '');
  return (
    <AdminPage title={words.title} text={words.lead}>
      <SearchFields action={path} label={words.search} fields={fields} />
      <WhichOne path={path} query={query} name="person" meant={person} />
      <WhichOne path={path} query={query} name="client" meant={client} />
      {requestId && <AdminNotice kind="info">{words.requestNone(requestId)}</AdminNotice>}
      {rows.length > 0 && (
        <Counted
          total={totalOf(totalAbove(page, await countTraces(filter)), words.oneOf, words.severalOf)}
        >
          <AttemptTable traces={rows} />
        </Counted>
      )}
      {rows.length === 0 && !unclear && (
        <EmptyState
          icon="clock"
          title={searched ? words.nothingFound : words.none}
          text={searched ? words.nothingFoundText : words.noneText}
        />
      )}
      <Pager path={path} query={query} next={next} previous={previous} />
    </AdminPage>
  );
}

type Query = Readonly<Record<string, string>>;

function filterIn(query: Query): TraceFilter {
  const rule = oneOf(rules, query.reason) as Rule | undefined;
  const failed = query.result === 'failed' ? true : query.result === 'ok' ? false : undefined;
  return { rule, failed };
}

function fieldsOf(query: Query, typed: { person?: string; client?: string }) {
  return [
    { name: 'client', label: words.client, value: typed.client ?? '' },
    { name: 'person', label: words.person, value: typed.person ?? '' },
    {
      name: 'result',
      label: words.shown,
      value: query.result ?? '',
      options: [
        { value: '', label: words.all },
        { value: 'failed', label: words.failed },
        { value: 'ok', label: words.worked },
      ],
    },
    {
      name: 'reason',
      label: words.reason,
      value: oneOf(rules, query.reason) ?? '',
      options: [
        { value: '', label: words.anyReason },
        ...rules.map((rule) => ({ value: rule, label: words.rules[rule].what })),
      ],
    },
    {
      name: 'request',
      label: words.request,
      placeholder: words.requestHint,
      value: query.request ?? '',
    },
  ];
}
