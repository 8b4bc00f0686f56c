'use client';

import type { ComponentProps, ReactNode } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { GroupsField } from '../../groups/groups-field.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { type Invited, invitePerson } from './actions.ts';

type Props = ComponentProps<typeof GroupsField> & { children: ReactNode };

/** The invitation form; afterwards the link, which is shown once. */
export function InviteForm({ choices, children }: Props) {
  const text = useText();
  return (
    <ActionForm<Invited>
      need="help-people"
      action={invitePerson}
      done={(invited) => <Made {...invited} />}
    >
      <div className="grid items-start gap-5 md:grid-cols-2">
        <TextField
          name="email"
          type="email"
          label={text('invite.email')}
          hint={text('invite.emailHint')}
          required
          maxLength={254}
          spellCheck={false}
        />
        {children}
        <GroupsField choices={choices} />
      </div>
      <div>
        <Submit>{text('invite.submit')}</Submit>
      </div>
    </ActionForm>
  );
}

function Made({ email, link, mailed }: Invited) {
  const text = useText();
  return (
    <div className="grid gap-5">
      {link === null ? (
        <AdminNotice kind="success" title={text('invite.made', { email })}>
          {text('invite.mailedOnly')}
        </AdminNotice>
      ) : (
        <ShownOnce
          title={text('invite.made', { email })}
          text={mailed ? text('invite.mailed') : text('invite.notMailed')}
          label={text('invite.link')}
          value={link}
        />
      )}
      <div>
        <ButtonLink kind="secondary" href="/admin/people/invite">
          {text('invite.another')}
        </ButtonLink>
      </div>
    </div>
  );
}
