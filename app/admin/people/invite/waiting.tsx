import type { Invitation } from '#lib/management/invitation/invitations.ts';
import { pagesIn } from '#lib/management/page.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { EmailAddress } from '../../../ui/email-address.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { pageIn } from '../../ui/table/order.ts';
import { Pages } from '../../ui/table/pages.tsx';
import type { BulkAct } from '../../ui/table/selection.ts';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import { ticksOf } from '../../ui/table/ticks.ts';
import { takeBackInvitation } from './actions.ts';

type Props = {
  invitations: readonly Invitation[];
  query: Readonly<Record<string, string>>;
  /** What can be done to several at once. */
  acts: readonly BulkAct[];
};

const size = 50;

/** One page of the pending invitations. */
export async function Waiting({ invitations, query, acts }: Props) {
  const text = await pageText();
  const total = { count: invitations.length, more: false };
  const page = Math.min(pageIn(query), pagesIn(total));
  const rows = invitations.slice((page - 1) * size, page * size);
  const shown = { count: rows.length, more: false };
  const says = text('invite.total', { count: total.count });
  const place = { query, page, total, shown: rows.length, says, size };
  return (
    <div>
      <Table
        caption={text('invite.waitingList')}
        ticks={acts.length > 0 ? ticksOf(text) : undefined}
        columns={[
          { key: 'email', label: text('invite.email') },
          { key: 'groups', label: text('invite.groups') },
          { key: 'until', label: text('invite.until') },
          { key: 'act', label: <span className="sr-only">{text('invite.takeBack')}</span> },
        ]}
        rows={rows.map((invitation) => rowOf(text, invitation))}
        foot={<Pages path="/admin/people/invite" {...place} />}
      />
      {acts.length > 0 && (
        <SelectionBar acts={acts} filters={{}} total={shown} shown={rows.length} />
      )}
    </div>
  );
}

function rowOf(text: Text, { id, email, groups, expiresAt }: Invitation) {
  return {
    key: id,
    name: stripBidi(email),
    cells: {
      email: <EmailAddress text={email} />,
      groups: groups.length > 0 && <UserText className="wrap-anywhere" text={groups.join(', ')} />,
      until: <When locale={text.locale} at={expiresAt} />,
      act: <TakeBack text={text} id={id} email={email} />,
    },
  };
}

function TakeBack({ text, id, email }: { text: Text; id: string; email: string }) {
  return (
    <ActionForm need="help-people" action={takeBackInvitation} className="grid gap-2">
      <Hidden fields={{ id }} />
      <div>
        <Submit kind="secondary" size="small" aria-label={text('invite.takeBackLabel', { email })}>
          {text('invite.takeBack')}
        </Submit>
      </div>
    </ActionForm>
  );
}
