import { listKeys, type SigningKeyRecord } from '#lib/management/key/keys.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { makeNewKeys, revokeOneKey } from './actions.ts';

export default async function KeysPage() {
  await guardPage('/admin/settings/keys');
  const text = await pageText();
  const keys = await listKeys();
  return (
    <AdminPage title={text('keys.title')} text={text('keys.lead')} up="/admin/settings/general">
      <Table
        caption={text('keys.list')}
        columns={[
          { key: 'kid', label: text('keys.columnKey') },
          { key: 'alg', label: text('keys.columnAlg') },
          { key: 'made', label: text('keys.columnMade') },
          { key: 'state', label: text('keys.columnState') },
          { key: 'end', label: <span className="sr-only">{text('keys.columnEnd')}</span> },
        ]}
        rows={keys.map((key) => ({ key: key.kid, cells: cellsOf(text, key) }))}
      />
      <ActionForm action={makeNewKeys} label={text('keys.rotate')} className="grid gap-3">
        <Confirm label={text('keys.rotate')} text={text('keys.rotateWhat')}>
          <Submit size="small">{text('keys.rotateConfirm')}</Submit>
        </Confirm>
      </ActionForm>
    </AdminPage>
  );
}

function cellsOf(text: Text, { kid, alg, createdAt, retiredAt }: SigningKeyRecord) {
  return {
    kid: <span className="font-mono wrap-anywhere">{kid}</span>,
    alg,
    made: <When locale={text.locale} at={createdAt} />,
    state: <Badge>{retiredAt === null ? text('keys.inUse') : text('keys.replaced')}</Badge>,
    end: (
      <ActionForm
        action={revokeOneKey}
        label={text('keys.revokeLabel', { kid })}
        className="grid min-w-40 gap-3"
      >
        <Hidden fields={{ kid }} />
        <Confirm
          label={text('keys.revoke')}
          accessibleLabel={text('keys.revokeLabel', { kid })}
          text={text('keys.revokeWhat')}
        >
          <Submit kind="danger" size="small">
            {text('keys.revokeConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    ),
  };
}
