'use client';

import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { type MadePerson, resetPersonPassword } from '../actions.ts';

/** Sets a random password and shows it once. */
export function ResetPassword({ id, username }: { id: string; username: string }) {
  return (
    <ActionForm<MadePerson>
      need="help-people"
      action={resetPersonPassword}
      className="grid gap-3"
      done={({ password }) => (
        <ShownOnce
          title={words.resetDone}
          text={words.passwordOnce}
          label={words.password}
          value={password}
        />
      )}
    >
      <Hidden fields={{ id }} />
      <Confirm label={words.reset} text={words.resetText(username)}>
        <Submit kind="danger" size="small">
          {words.resetConfirm}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
