'use client';

import { useText } from '../../../ui/browser-text.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { type MadePerson, resetPersonPassword } from '../actions.ts';

/** Sets a random password and shows it once. */
export function ResetPassword({ id, username }: { id: string; username: string }) {
  const text = useText();
  return (
    <ActionForm<MadePerson>
      need="help-people"
      action={resetPersonPassword}
      className="grid gap-3"
      done={({ password }) => (
        <ShownOnce
          title={text('people.resetDone')}
          text={text('people.passwordOnce')}
          label={text('people.password')}
          value={password}
        />
      )}
    >
      <Hidden fields={{ id }} />
      <Confirm label={text('people.reset')} text={text('people.resetText', { name: username })}>
        <Submit kind="danger" size="small">
          {text('people.resetConfirm')}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
