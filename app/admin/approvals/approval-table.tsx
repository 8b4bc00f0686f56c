import type { GrantRecord } from '#lib/management/grant/grants.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
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
export async function ApprovalTable({ approvals, of, back }: Props) {
  const text = await pageText();
  const columns: Column[] = [
    { key: 'who', label: text('approvals.columnWho') },
    { key: 'client', label: text('approvals.columnClient') },
    { key: 'scopes', label: text('approvals.columnScopes') },
    { key: 'first', label: text('approvals.columnFirst') },
    { key: 'last', label: text('approvals.columnLast') },
    { key: 'act', label: <span className="sr-only">{text('approvals.act')}</span> },
  ];
  const left = of === 'person' ? 'who' : of === 'client' ? 'client' : '';
  return (
    <Table
      caption={text('approvals.list')}
      columns={columns.filter(({ key }) => key !== left)}
      rows={approvals.map((approval) => ({
        key: approval.id,
        cells: cellsOf(text, approval, back),
      }))}
    />
  );
}

function cellsOf(text: Text, approval: GrantRecord, back: string) {
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
    first: <Day locale={text.locale} at={approval.createdAt.toISOString()} />,
    last: approval.lastUsedAt ? (
      <Day locale={text.locale} at={approval.lastUsedAt.toISOString()} />
    ) : (
      <span className="text-ink-soft">{text('approvals.never')}</span>
    ),
    act: (
      <ActionForm action={revokeApproval} className="grid gap-3 sm:-my-1.5">
        <Hidden fields={{ user: approval.userId, client: approval.clientId, back }} />
        <Confirm
          quiet
          label={text('approvals.revoke')}
          accessibleLabel={text('approvals.revokeLabel', {
            person: stripBidi(username),
            client: stripBidi(clientName),
          })}
          text={text('approvals.revokeText', {
            person: stripBidi(username),
            client: stripBidi(clientName),
          })}
        >
          <Submit kind="danger" size="small">
            {text('approvals.revokeConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    ),
  };
}
