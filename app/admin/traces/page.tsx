import { redirect } from 'next/navigation';
import { listTraces, type TraceFilter, traceOfRequest } from '#lib/management/attempt/traces.ts';
import { matchClient, matchUser } from '#lib/management/candidates.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { type Rule, rules } from '#lib/oauth/facts.ts';
import { totalAbove } from '#lib/store/engine/page.ts';
import { countTraces } from '#lib/store/trace-list.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
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
  const text = await pageText();
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
  const fields = fieldsOf(text, query, {
    person:
      person && 'one' in person && person.one.id === query.person ? person.one.label : query.person,
    client:
      client && 'one' in client && client.one.id === query.client ? client.one.label : query.client,
  });
  const searched = fields.some(({ value }) => value !== '');
  return (
    <AdminPage title={text('attempts.title')} text={text('attempts.lead')}>
      <SearchFields action={path} label={text('attempts.search')} fields={fields} />
      <WhichOne path={path} query={query} name="person" meant={person} />
      <WhichOne path={path} query={query} name="client" meant={client} />
      {requestId && (
        <AdminNotice kind="info">{text('attempts.requestNone', { id: requestId })}</AdminNotice>
      )}
      {rows.length > 0 && (
        <Counted
          total={text('attempts.total', ofTotal(totalAbove(page, await countTraces(filter))))}
        >
          <AttemptTable traces={rows} />
        </Counted>
      )}
      {rows.length === 0 && !unclear && (
        <EmptyState
          icon="clock"
          title={searched ? text('attempts.nothingFound') : text('attempts.none')}
          text={searched ? text('attempts.nothingFoundText') : text('attempts.noneText')}
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

function fieldsOf(text: Text, query: Query, typed: { person?: string; client?: string }) {
  return [
    { name: 'client', label: text('attempts.client'), value: typed.client ?? '' },
    { name: 'person', label: text('attempts.person'), value: typed.person ?? '' },
    {
      name: 'result',
      label: text('attempts.shown'),
      value: query.result ?? '',
      options: [
        { value: '', label: text('attempts.all') },
        { value: 'failed', label: text('attempts.failed') },
        { value: 'ok', label: text('attempts.worked') },
      ],
    },
    {
      name: 'reason',
      label: text('attempts.reason'),
      value: oneOf(rules, query.reason) ?? '',
      options: [
        { value: '', label: text('attempts.anyReason') },
        ...rules.map((rule) => ({ value: rule, label: text(`attempts.rules.${rule}.what`) })),
      ],
    },
    {
      name: 'request',
      label: text('attempts.request'),
      placeholder: text('attempts.requestHint'),
      value: query.request ?? '',
    },
  ];
}
