import { listKeys, type SigningKeyRecord } from '#lib/management/key/keys.ts';
import { keyWords as words } from '#lib/messages/admin/keys.ts';
import { settingWords } from '#lib/messages/admin/settings.ts';
import { requirePermission } from '../../../guards.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Table } from '../../../ui/table.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { makeNewKeys, revokeOneKey } from './actions.ts';

export default async function KeysPage() {
  await requirePermission('see-everything');
  const keys = await listKeys();
  return (
    <AdminPage
      title={words.title}
      text={words.lead}
      up={{ href: '/admin/settings/general', label: settingWords.title }}
    >
      <Table
        caption={words.list}
        columns={[
          { key: 'kid', label: words.columnKey },
          { key: 'alg', label: words.columnAlg },
          { key: 'made', label: words.columnMade },
          { key: 'state', label: words.columnState },
          { key: 'end', label: words.columnEnd },
        ]}
        rows={keys.map((key) => ({ key: key.kid, cells: cellsOf(key) }))}
      />
      <ActionForm action={makeNewKeys} label={words.rotate} className="grid gap-3">
        <Confirm label={words.rotate} text={words.rotateWhat}>
          <Submit size="small">{words.rotateConfirm}</Submit>
        </Confirm>
      </ActionForm>
    </AdminPage>
  );
}

function cellsOf({ kid, alg, createdAt, retiredAt }: SigningKeyRecord) {
  return {
    kid: <span className="font-mono wrap-anywhere">{kid}</span>,
    alg,
    made: <Moment at={createdAt} />,
    state: <Badge>{retiredAt === null ? words.inUse : words.replaced}</Badge>,
    end: (
      <ActionForm
        action={revokeOneKey}
        label={words.revokeLabel(kid)}
        className="grid min-w-40 gap-3"
      >
        <Hidden fields={{ kid }} />
        <Confirm
          label={words.revoke}
          accessibleLabel={words.revokeLabel(kid)}
          text={words.revokeWhat}
        >
          <Submit kind="danger" size="small">
            {words.revokeConfirm}
          </Submit>
        </Confirm>
      </ActionForm>
    ),
  };
}
