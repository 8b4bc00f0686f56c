import type { GrantRecord } from '#lib/management/grant/grants.ts';
import { approvalWords as words } from '#lib/messages/admin/approvals.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Day } from '../../ui/day.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { revokeApproval } from './actions.ts';

type Props = {
  approvals: readonly GrantRecord[];
  /** The common owner, so it isn't repeated in each row. */
  of?: 'person' | 'client';
  /** The page to return to after revoking. */
  back: string;
};

/** Grants, each with a way to revoke it. */
export function ApprovalTable({ approvals, of, back }: Props) {
  const columns: Column[] = [
    { key: 'who', label: words.columnWho },
    { key: 'client', label: words.columnClient },
    { key: 'scopes', label: words.columnScopes },
    { key: 'first', label: words.columnFirst },
    { key: 'last', label: words.columnLast },
    { key: 'act', label: <span className="sr-only">{words.act}</span> },
  ];
  const left = of === 'person' ? 'who' : of === 'client' ? 'client' : '';
  return (
    <Table
      caption={words.list}
      columns={columns.filter(({ key }) => key !== left)}
      rows={approvals.map((approval) => ({ key: approval.id, cells: cellsOf(approval, back) }))}
    />
  );
}

function cellsOf(approval: GrantRecord, back: string) {
  const { username, name, clientName } = approval;
  return {
    who: (
      <span className="block wrap-anywhere">
        <QuickLink className="gh-link font-semibold" href={`/admin/people/${approval.userId}`}>
          <UserText text={name || username} />
        </QuickLink>
        {name && (
          <span className="block text-ink-soft">
            <UserText text={username} />
          </span>
        )}
      </span>
    ),
    client: (
      <QuickLink
        className="gh-link font-semibold wrap-anywhere"
        href={clientPage(approval.clientId)}
      >
        <UserText text={clientName} />
      </QuickLink>
    ),
    scopes: (
      <span className="block font-mono sm:min-w-40 text-xs leading-relaxed wrap-anywhere">
        <UserText text={approval.said.join(', ')} />
      </span>
    ),
    first: <Day locale="en" at={approval.createdAt.toISOString()} />,
    last: approval.lastUsedAt ? (
      <Day locale="en" at={approval.lastUsedAt.toISOString()} />
    ) : (
      <span className="text-ink-soft">{words.never}</span>
    ),
    act: (
      <ActionForm action={revokeApproval} className="grid gap-3 sm:-my-1.5">
        <Hidden fields={{ user: approval.userId, client: approval.clientId, back }} />
        <Confirm
          quiet
          label={words.revoke}
          accessibleLabel={words.revokeLabel(stripBidi(username), stripBidi(clientName))}
          text={words.revokeText(stripBidi(username), stripBidi(clientName))}
        >
          <Submit kind="danger" size="small">
            {words.revokeConfirm}
          </Submit>
        </Confirm>
      </ActionForm>
    ),
  };
}
