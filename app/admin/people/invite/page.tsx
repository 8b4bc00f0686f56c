import { listInvitations } from '#lib/management/invitation/invitations.ts';
import { may } from '#lib/people/roles.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { groupChoices } from '../../groups/filter.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SelectField } from '../../ui/forms/fields.tsx';
import { invitationActs } from '../bulk-acts.ts';
import { languageOptions } from '../language-options.ts';
import { InviteForm } from './invite-form.tsx';
import { Waiting } from './waiting.tsx';

/** Invites a person, and lists the pending invitations. */
export default async function InvitePage({ searchParams }: { searchParams: SearchParams }) {
  const { user } = await guardPage('/admin/people/invite');
  const text = await pageText();
  const choices = may(user.role, 'admin') ? await groupChoices() : [];
  const waiting = await listInvitations(new Date());
  return (
    <AdminPage title={text('invite.title')} text={text('invite.lead')} up="/admin/people">
      <Card className="max-w-4xl">
        <InviteForm choices={choices}>
          <SelectField
            name="language"
            label={text('profile.locale')}
            defaultValue=""
            options={languageOptions(text)}
          />
        </InviteForm>
      </Card>
      <Card id="waiting" title={text('invite.waiting')} text={text('invite.waitingText')}>
        {waiting.length > 0 ? (
          <Waiting
            invitations={waiting}
            query={await readParams(searchParams)}
            acts={invitationActs(text, user.role)}
          />
        ) : (
          <p className="text-ink-soft">{text('invite.waitingNone')}</p>
        )}
      </Card>
    </AdminPage>
  );
}
