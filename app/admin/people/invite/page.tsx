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
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { groupChoices } from '../../groups/choices.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import type { BulkAct } from '../../ui/table/selection.ts';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import { ticksOf } from '../../ui/table/ticks.ts';
import { invitationActs } from '../bulk-acts.ts';
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
          <Waiting invitations={waiting} acts={invitationActs(text, user.role)} />
        ) : (
          <p className="text-ink-soft">{text('invite.waitingNone')}</p>
        )}
      </Card>
    </AdminPage>
  );
}

type WaitingProps = { invitations: readonly Invitation[]; acts: readonly BulkAct[] };

function Waiting({ invitations, acts }: WaitingProps) {
  const count = invitations.length;
  return (
    <div>
      <InvitationTable invitations={invitations} canTick={acts.length > 0} />
      {acts.length > 0 && (
        <SelectionBar acts={acts} filters={{}} total={{ count, more: false }} shown={count} />
      )}
    </div>
  );
}

type TableProps = { invitations: readonly Invitation[]; canTick: boolean };

async function InvitationTable({ invitations, canTick }: TableProps) {
  const text = await pageText();
  return (
    <Table
      caption={text('invite.waitingList')}
      ticks={canTick ? ticksOf(text) : undefined}
      columns={[
        { key: 'email', label: text('invite.email') },
        { key: 'groups', label: text('invite.groups') },
        { key: 'until', label: text('invite.until') },
        { key: 'act', label: <span className="sr-only">{text('invite.takeBack')}</span> },
      ]}
      rows={invitations.map(({ id, email, groups, expiresAt }) => ({
        key: id,
        name: stripBidi(email),
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
