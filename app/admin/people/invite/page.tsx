import { type Invitation, listInvitations } from '#lib/management/invitation/invitations.ts';
import { may } from '#lib/people/roles.ts';
import { readSettings } from '#lib/store/settings.ts';
import { requirePermission } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { EmailAddress } from '../../../ui/email-address.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Table } from '../../../ui/table.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { groupChoices } from '../../groups/choices.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { takeBackInvitation } from './actions.ts';
import { InviteForm } from './invite-form.tsx';

export default async function InvitePage() {
  const { user } = await requirePermission('see-people');
  const text = await pageText();
  const choices = may(user.role, 'admin') ? await groupChoices() : [];
  const waiting = await listInvitations(new Date());
  const closed = (await readSettings()).registration === 'off';
  return (
    <AdminPage
      title={text('invite.title')}
      text={text('invite.lead')}
      up={{ href: '/admin/people', label: text('people.title') }}
    >
      {closed && (
        <AdminNotice kind="warning" title={text('invite.closed')}>
          <QuickLink className="gh-link" href="/admin/settings/sign-in#registration">
            {text('invite.openSettings')}
          </QuickLink>
        </AdminNotice>
      )}
      <Card className="max-w-2xl">
        <InviteForm choices={choices} />
      </Card>
      <Card id="waiting" title={text('invite.waiting')} text={text('invite.waitingText')}>
        {waiting.length > 0 ? (
          <Waiting invitations={waiting} />
        ) : (
          <p className="text-ink-soft">{text('invite.waitingNone')}</p>
        )}
      </Card>
    </AdminPage>
  );
}

async function Waiting({ invitations }: { invitations: readonly Invitation[] }) {
  const text = await pageText();
  return (
    <Table
      caption={text('invite.waitingList')}
      columns={[
        { key: 'email', label: text('invite.email') },
        { key: 'groups', label: text('invite.groups') },
        { key: 'until', label: text('invite.until') },
        { key: 'act', label: <span className="sr-only">{text('invite.takeBack')}</span> },
      ]}
      rows={invitations.map(({ id, email, groups, expiresAt }) => ({
        key: id,
        cells: {
          email: <EmailAddress text={email} />,
          groups: <UserText className="wrap-anywhere" text={groups.join(', ') || '–'} />,
          until: <Moment locale={text.locale} at={expiresAt} />,
          act: (
            <ActionForm need="help-people" action={takeBackInvitation} className="grid gap-2">
              <Hidden fields={{ id }} />
              <div>
                <Submit
                  kind="secondary"
                  size="small"
                  aria-label={text('invite.takeBackLabel', { email })}
                >
                  {text('invite.takeBack')}
                </Submit>
              </div>
            </ActionForm>
          ),
        },
      }))}
    />
  );
}
