import { type LinkedIdentity, onlyWayOf } from '#lib/management/identity/identities.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { unlinkPersonIdentity } from '../actions.ts';

type Props = { user: UserRecord; identities: readonly LinkedIdentity[] };

/**
 * The person's linked accounts at other providers, each with a button to unlink it; nothing if
 * there are none.
 */
export async function Identities({ user, identities }: Props) {
  const text = await pageText();
  if (identities.length === 0) return null;
  const only = await onlyWayOf(user.id);
  const last = identities.find(({ id }) => id === only);
  const rows = identities.map(({ id, provider, label, subject, createdAt, lastUsedAt }) => ({
    key: id,
    cells: {
      provider: <UserText className="font-semibold wrap-anywhere" text={provider.name} />,
      label: <UserText className="wrap-anywhere" text={label ?? subject} />,
      since: <When locale={text.locale} at={createdAt} />,
      used: lastUsedAt ? <When locale={text.locale} at={lastUsedAt} /> : '–',
      unlink: (
        <ActionForm need="help-people" action={unlinkPersonIdentity} className="grid gap-2">
          <Hidden fields={{ id: user.id, identity: id }} />
          <div>
            <Submit
              kind="secondary"
              size="small"
              aria-label={text('people.unlinkLabel', { provider: provider.name })}
            >
              {text('people.unlink')}
            </Submit>
          </div>
        </ActionForm>
      ),
    },
  }));
  return (
    <Card id="identities" title={text('people.identities')} text={text('people.identitiesText')}>
      {last && (
        <div className="mb-4">
          <AdminNotice kind="warning">
            {text('people.identityOnly', { provider: stripBidi(last.provider.name) })}
          </AdminNotice>
        </div>
      )}
      <Table
        caption={text('people.identities')}
        columns={[
          { key: 'provider', label: text('people.identityProvider') },
          { key: 'label', label: text('people.identityLabel') },
          { key: 'since', label: text('people.identitySince') },
          { key: 'used', label: text('people.identityUsed') },
          { key: 'unlink', label: <span className="sr-only">{text('people.unlink')}</span> },
        ]}
        rows={rows}
      />
    </Card>
  );
}
