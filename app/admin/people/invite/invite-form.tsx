'use client';

import type { ComponentProps } from 'react';
import { inviteWords as words } from '#lib/messages/admin/invite.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { GroupsField } from '../../groups/groups-field.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { type Invited, invitePerson } from './actions.ts';

/** The invitation form; afterwards the link, shown once. */
export function InviteForm({ choices }: ComponentProps<typeof GroupsField>) {
  return (
    <ActionForm<Invited>
      need="help-people"
      action={invitePerson}
      done={(invited) => <Made {...invited} />}
    >
      <TextField
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        required
        maxLength={254}
        spellCheck={false}
      />
      <GroupsField choices={choices} />
      <div>
        <Submit>{words.submit}</Submit>
      </div>
    </ActionForm>
  );
}

function Made({ email, link, mailed }: Invited) {
  return (
    <div className="grid gap-5">
      {link === null ? (
        <AdminNotice kind="success" title={words.made(email)}>
          {words.mailedOnly}
        </AdminNotice>
      ) : (
        <ShownOnce
          title={words.made(email)}
          text={mailed ? words.mailed : words.notMailed}
          label={words.link}
          value={link}
        />
      )}
      <div>
        <ButtonLink kind="secondary" href="/admin/people/invite">
          {words.another}
        </ButtonLink>
      </div>
    </div>
  );
}
