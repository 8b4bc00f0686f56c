import type { ClientRecord } from '#lib/management/client/clients.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { Card } from '../../../../ui/card.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { revokeApproval } from '../../../approvals/actions.ts';
import { ApprovalTable } from '../../../approvals/approval-table.tsx';
import { Confirmed } from '../../../ui/forms/confirmed.tsx';
import { Pager } from '../../../ui/pager.tsx';

/** What each person has allowed an app, and a button to sign all of them out. */
export async function PeopleCard({
  client,
  after,
}: {
  client: ClientRecord;
  /** The cursor of the page of people. */
  after: string | undefined;
}) {
  const text = await pageText();
  const { rows, next, previous } = await orNotFound(
    listGrants({ clientId: client.id, cursor: after || undefined, limit: 25 }),
  );
  const path = clientPage(client.id, 'access');
  const none = client.firstParty
    ? text('clients.peopleNoneFirstParty')
    : text('clients.peopleNone');
  return (
    <Card
      id="people"
      title={text('app.people')}
      text={rows.length > 0 ? text('app.peopleText') : none}
    >
      {rows.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <ApprovalTable approvals={rows} of="client" back={path} />
          <Pager path={path} query={{ after }} next={next} previous={previous} />
          <Confirmed
            action={revokeApproval}
            className="border-t border-line pt-5"
            fields={{ client: client.id, back: path }}
            label={text('app.revokeAll')}
            text={text('approvals.revokeAllOfClientText', { client: stripBidi(client.shownName) })}
            confirm={text('approvals.revokeAllConfirm')}
          />
        </div>
      )}
    </Card>
  );
}
