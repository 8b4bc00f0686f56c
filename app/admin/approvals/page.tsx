import { type Candidate, matchClient, matchUser } from '#lib/management/candidates.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { countGrants } from '#lib/store/grant-list.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { orNotFound } from '../../or-not-found.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Counted } from '../ui/counted.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { hrefOf } from '../ui/href.ts';
import { idOf, WhichOne } from '../ui/match.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchFields } from '../ui/search-fields.tsx';
import { revokeApproval } from './actions.ts';
import { ApprovalTable } from './approval-table.tsx';

const path = '/admin/approvals';

export default async function ApprovalsPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const text = await pageText();
  const query = await readParams(searchParams);
  const person = query.person?.trim() ? await matchUser(query.person.trim()) : null;
  const client = query.client?.trim() ? await matchClient(query.client.trim()) : null;
  const [userId, clientId] = [idOf(person), idOf(client)];
  const unclear = userId === null || clientId === null;
  const filter = { userId: userId ?? undefined, clientId: clientId ?? undefined };
  const { rows, next, previous } = unclear
    ? { rows: [], next: null, previous: null }
    : await orNotFound(listGrants({ ...filter, cursor: query.after || undefined }));
  const fields = [
    {
      name: 'person',
      label: text('approvals.person'),
      placeholder: text('approvals.personHint'),
      value: labelOf(person, query.person),
    },
    {
      name: 'client',
      label: text('approvals.client'),
      placeholder: text('approvals.clientHint'),
      value: labelOf(client, query.client),
    },
  ];
  const searched = Boolean(person || client);
  return (
    <AdminPage title={text('approvals.title')} text={text('approvals.lead')}>
      <SearchFields action={path} label={text('approvals.find')} fields={fields} />
      <WhichOne path={path} query={query} name="person" meant={person} />
      <WhichOne path={path} query={query} name="client" meant={client} />
      {rows.length > 0 && (
        <Counted total={text('approvals.total', ofTotal(await countGrants(filter)))}>
          <ApprovalTable approvals={rows} back={hrefOf(path, { ...query, after: '' })} />
        </Counted>
      )}
      {rows.length === 0 && !unclear && (
        <EmptyState
          title={searched ? text('approvals.nothingFound') : text('approvals.none')}
          text={searched ? text('approvals.nothingFoundText') : text('approvals.noneText')}
        />
      )}
      <Pager path={path} query={query} next={next} previous={previous} />
      {rows.length > 0 && <RevokeAll person={oneOf(person)} client={oneOf(client)} />}
    </AdminPage>
  );
}

type Of = Awaited<ReturnType<typeof matchUser>> | null;

const oneOf = (meant: Of) => (meant && 'one' in meant ? meant.one : null);

/** An id from a link is shown as its name. */
function labelOf(meant: Of, typed = ''): string {
  return oneOf(meant)?.id === typed ? (oneOf(meant)?.label ?? typed) : typed;
}

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
    <ActionForm action={revokeApproval} className="grid gap-3">
      <Hidden fields={{ user: person?.id, client: client?.id, back: path }} />
      <Confirm label={label} text={text}>
        <Submit kind="danger" size="small">
          {words('approvals.revokeAllConfirm')}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
