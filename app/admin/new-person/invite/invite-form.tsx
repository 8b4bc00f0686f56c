'use client';

import { inviteWords as words } from '#lib/messages/admin/invite.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { type Invited, invitePerson } from './actions.ts';

/** The invitation form; afterwards the link, shown once. */
export function InviteForm() {
  return (
    <ActionForm<Invited> action={invitePerson} done={(invited) => <Made {...invited} />}>
      <TextField
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        required
        maxLength={254}
        spellCheck={false}
      />
      <div>
        <Submit>{words.submit}</Submit>
      </div>
    </ActionForm>
  );
}

function Made({ email, link, mailed }: Invited) {
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={words.made(email)}
        text={mailed ? words.mailed : words.notMailed}
        label={words.link}
        value={link}
      />
      <div>
        <ButtonLink kind="secondary" href="/admin/new-person/invite">
          {words.another}
        </ButtonLink>
      </div>
    </div>
  );
}
