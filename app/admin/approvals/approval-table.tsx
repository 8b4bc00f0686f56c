import type { GrantRecord } from '#lib/management/grant/grants.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { type Row, Table } from '../../ui/table.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { OnlyFor } from '../ui/allowed.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import type { ListColumn } from '../ui/table/order.ts';
import { revokeApproval } from './actions.ts';

type Props = {
  approvals: readonly GrantRecord[];
  /**
   * Whose grants these are, if all belong to one person or one client, so that rows don't repeat
   * it.
   */
  of?: 'person' | 'client';
  /** The page to return to after revoking. */
  back: string;
};

/** Grants, each with a button to revoke it. */
export async function ApprovalTable({ approvals, of, back }: Props) {
  const text = await pageText();
  const left = of === 'person' ? 'who' : of === 'client' ? 'client' : '';
  return (
    <>
      <Table
        caption={text('approvals.list')}
        columns={approvalColumns(text)
          .filter(({ key }) => key !== left)
          .map(({ sort: _, ...column }) => column)}
        rows={approvals.map((approval) => approvalRow(text, approval))}
      />
      <RevokeForm back={back} />
    </>
  );
}

export const approvalColumns = (text: Text): ListColumn[] => [
  { key: 'who', label: text('approvals.columnWho') },
  { key: 'client', label: text('approvals.columnClient'), phone: 'line' },
  { key: 'scopes', label: text('approvals.columnScopes'), phone: 'none' },
  {
    key: 'first',
    label: text('approvals.columnFirst'),
    sort: ['created', 'descending'],
    phone: 'none',
  },
  { key: 'last', label: text('approvals.columnLast'), sort: ['used', 'descending'] },
  { key: 'act', label: <span className="sr-only">{text('approvals.act')}</span> },
];

export const approvalRow = (text: Text, approval: GrantRecord): Row => ({
  key: approval.id,
  cells: cellsOf(text, approval),
});

function cellsOf(text: Text, approval: GrantRecord) {
  const { username, name, clientName } = approval;
  const of = { person: stripBidi(username), client: stripBidi(clientName) };
  return {
    who: (
      <span className="wrap-anywhere">
        <QuickLink className="gh-name" href={`/admin/people/${approval.userId}`}>
          <UserText text={name || username} />
        </QuickLink>{' '}
        {name && <UserText className="text-ink-soft" text={username} />}
      </span>
    ),
    client: (
      <QuickLink
        className="gh-name inline-block min-w-28 wrap-anywhere"
        href={clientPage(approval.clientId)}
      >
        <UserText text={clientName} />
      </QuickLink>
    ),
    scopes: (
      <UserText className="font-mono text-xs wrap-anywhere" text={approval.said.join(', ')} />
    ),
    first: <When locale={text.locale} at={approval.createdAt} />,
    last: <When locale={text.locale} at={approval.lastUsedAt} never={text('approvals.never')} />,
    act: (
      <OnlyFor need="admin">
        <Confirm
          quiet
          label={text('approvals.revoke')}
          accessibleLabel={text('approvals.revokeLabel', of)}
          text={text('approvals.revokeText', of)}
        >
          <Button
            kind="danger"
            size="small"
            form={form}
            name="grant"
            value={`${approval.userId} ${approval.clientId}`}
          >
            {text('approvals.revokeConfirm')}
          </Button>
        </Confirm>
      </OnlyFor>
    ),
  };
}

const form = 'revoke';

/** One form for the buttons of all rows: a form for each would be most of the page. */
export function RevokeForm({ back }: { back: string }) {
  return (
    <ActionForm id={form} choice="grant" action={revokeApproval} className="grid gap-3">
      <Hidden fields={{ back }} />
    </ActionForm>
  );
}
