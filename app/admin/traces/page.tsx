import { redirect } from 'next/navigation';
import {
  countReasons,
  listTracesAt,
  throughs,
  traceOfRequest,
} from '#lib/management/attempt/traces.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { traceColumns, traceRow } from '../../ui/attempts/trace-table.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { pageZone } from '../../zone.ts';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { hrefOf } from '../ui/href.ts';
import { type Meant, namedIn, WhichOne } from '../ui/match.tsx';
import { dayFilters, dayShortcuts, onwardFrom } from '../ui/table/days.ts';
import { type Choice, choiceOf, type Filter } from '../ui/table/filters.tsx';
import { List } from '../ui/table/list.tsx';
import { filtersIn, pageIn, sortIn } from '../ui/table/order.ts';
import { listWords } from '../ui/table/words.tsx';
import { shownHere } from './attempt-table.tsx';
import { readAttempts } from './filter.ts';
import { reasonChoices } from './reasons.ts';

const path = '/admin/traces';
const usual = { by: 'when', direction: 'descending' } as const;
const nothing = { rows: [], total: { count: 0, more: false }, page: 1 };

export default async function TracesPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage(path);
  const text = await pageText();
  const zone = await pageZone();
  const query = await readParams(searchParams);
  const requestId = query.request?.trim();
  const found = requestId ? await traceOfRequest(requestId) : null;
  if (found) redirect(`${path}/${found}`);
  const { filter, person, client } = await readAttempts(query, zone);
  const sort = sortIn(query, ['when'], usual);
  const { rows, ...list } = filter
    ? await listTracesAt(filter, pageIn(query), sort.direction)
    : nothing;
  const reasons = filter ? await countReasons(filter) : new Map<string, number>();
  return (
    <List
      {...listWords(text, 'attempts', {
        query,
        total: list.total,
        icon: 'clock',
        unclear: !filter,
      })}
      before={
        <>
          <WhichOne path={path} query={query} name="person" meant={person} />
          <WhichOne path={path} query={query} name="client" meant={client} />
          {requestId && (
            <AdminNotice kind="info">{text('attempts.requestNone', { id: requestId })}</AdminNotice>
          )}
        </>
      }
      actions={
        <ButtonLink kind="secondary" size="small" href={hrefOf(`${path}/export`, filtersIn(query))}>
          {text('table.export')}
        </ButtonLink>
      }
      path={path}
      query={query}
      filters={filtersOf(text, query, { person, client }, reasons)}
      shortcuts={dayShortcuts(text, { path, query, zone }, new Date())}
      suggested={[
        {
          label: text('attempts.failed'),
          href: hrefOf(path, { ...query, page: '', result: 'failed' }),
        },
      ]}
      columns={traceColumns(text, shownHere).map((column) =>
        column.key === 'when' ? { ...column, sort: ['when', 'descending'] } : column,
      )}
      sort={sort}
      list={list}
      rows={rows.map((trace) => traceRow(text, trace, shownHere))}
      onward={onwardFrom({ path, query, zone }, rows.at(-1)?.lastAt)}
    />
  );
}

type Query = Readonly<Record<string, string>>;

function filtersOf(
  text: Text,
  query: Query,
  meant: Meant,
  reasons: ReadonlyMap<string, number>,
): Filter[] {
  return [
    { name: 'client', label: text('attempts.client'), ...namedIn(query, 'client', meant) },
    { name: 'person', label: text('attempts.person'), ...namedIn(query, 'person', meant) },
    choiceOf(query, 'result', text('attempts.shown'), [
      ['', text('attempts.all')],
      ['failed', text('attempts.failed')],
      ['ok', text('attempts.worked')],
    ]),
    choiceOf(query, 'through', text('attempts.through'), [
      ['', text('attempts.throughs.any')],
      ...throughs.map((each): Choice => [each, text(`attempts.throughs.${each}`)]),
    ]),
    choiceOf(query, 'reason', text('attempts.reason'), [
      ['', text('attempts.anyReason')],
      ...reasonChoices(text, reasons, query.reason),
    ]),
    ...dayFilters(text, query),
    {
      name: 'request',
      label: text('attempts.request'),
      placeholder: text('attempts.requestHint'),
      value: query.request ?? '',
    },
  ];
}
