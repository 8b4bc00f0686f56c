import type { Candidate, Match } from '#lib/management/candidates.ts';
import { listGrantsBy } from '#lib/management/grant/grants.ts';
import { grantSorts } from '#lib/store/grant-list.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { groupChoices } from '../groups/filter.ts';
import { Confirmed } from '../ui/forms/confirmed.tsx';
import { hrefOf } from '../ui/href.ts';
import { WhichOne } from '../ui/match.tsx';
import { QuickButton } from '../ui/quick-link.tsx';
import { List } from '../ui/table/list.tsx';
import { filtersIn, pageIn, sortIn } from '../ui/table/order.ts';
import { listWords } from '../ui/table/words.tsx';
import { revokeApproval } from './actions.ts';
import { approvalColumns, approvalRow, RevokeForm } from './approval-table.tsx';
import { filtersOf, readApprovals } from './filter.ts';

const path = '/admin/approvals';
const usual = { by: 'created', direction: 'descending' } as const;
const nothing = { rows: [], total: { count: 0, more: false }, page: 1 };

export default async function ApprovalsPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage(path);
  const text = await pageText();
  const query = await readParams(searchParams);
  const { filter, meant } = await readApprovals(query, new Date());
  const { person, client } = meant;
  const sort = sortIn(query, grantSorts, usual);
  const { rows, ...list } = filter
    ? await listGrantsBy(filter, { page: pageIn(query), sort })
    : nothing;
  const back = hrefOf(path, { ...query, page: '' });
  return (
    <List
      {...listWords(text, 'approvals', { query, total: list.total, unclear: !filter })}
      before={
        <>
          <WhichOne path={path} query={query} name="person" meant={person} />
          <WhichOne path={path} query={query} name="client" meant={client} />
        </>
      }
      actions={
        <>
          <QuickButton kind="secondary" size="small" href={`${path}/matrix`}>
            {text('matrix.title')}
          </QuickButton>
          <ButtonLink
            kind="secondary"
            size="small"
            href={hrefOf(`${path}/export`, filtersIn(query))}
          >
            {text('table.export')}
          </ButtonLink>
        </>
      }
      path={path}
      query={query}
      filters={filtersOf(text, query, meant, await groupChoices())}
      suggested={[
        {
          label: text('approvals.suggested'),
          href: hrefOf(path, { ...query, page: '', used: 'not90' }),
        },
      ]}
      columns={approvalColumns(text)}
      sort={sort}
      list={list}
      rows={rows.map((approval) => approvalRow(text, approval))}
      after={
        rows.length > 0 && (
          <>
            <RevokeForm back={back} />
            <RevokeAll person={matchedOne(person)} client={matchedOne(client)} />
          </>
        )
      }
    />
  );
}

const matchedOne = (meant: Match | null) => (meant && 'one' in meant ? meant.one : null);

/** Revokes all grants of a user or client the list is filtered by. */
async function RevokeAll({
  person,
  client,
}: {
  person: Candidate | null;
  client: Candidate | null;
}) {
  const words = await pageText();
  if (Boolean(person) === Boolean(client)) return null;
  const name = stripBidi((person ?? client)?.label ?? '');
  const label = person
    ? words('approvals.revokeAllOfPerson', { person: name })
    : words('approvals.revokeAllOfClient', { client: name });
  const text = person
    ? words('approvals.revokeAllOfPersonText', { person: name })
    : words('approvals.revokeAllOfClientText', { client: name });
  return (
    <Confirmed
      action={revokeApproval}
      fields={{ user: person?.id, client: client?.id, back: path }}
      label={label}
      text={text}
      confirm={words('approvals.revokeAllConfirm')}
    />
  );
}
