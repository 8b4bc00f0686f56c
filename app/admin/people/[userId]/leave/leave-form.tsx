import type { Belongings } from '#lib/management/user/leaving.ts';
import { pageText } from '../../../../locale.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { ChoiceField, TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { leaveForGood } from '../../actions.ts';

/** Asks who takes over, and what should happen to the account. */
export async function LeaveForm({ belongings }: { belongings: Belongings }) {
  const text = await pageText();
  const { user, apps } = belongings;
  const needsOne = apps.some(({ alone }) => alone);
  return (
    <ActionForm action={leaveForGood} label={text('leave.form')}>
      <Hidden fields={{ id: user.id }} />
      {apps.length > 0 && (
        <TextField
          name="successor"
          label={text('leave.successor')}
          hint={text(needsOne ? 'leave.successorNeeded' : 'leave.successorHint')}
          required={needsOne}
          optional={!needsOne}
          asTyped
          maxLength={254}
        />
      )}
      <ChoiceField
        name="account"
        legend={text('leave.account')}
        initial={['disable']}
        options={[
          { value: 'disable', label: text('leave.disable'), hint: text('leave.disableHint') },
          { value: 'delete', label: text('leave.delete'), hint: text('leave.deleteHint') },
        ]}
      />
      <div className="flex flex-wrap gap-3">
        <Submit kind="danger">{text('leave.confirm')}</Submit>
        <ButtonLink kind="quiet" href={`/admin/people/${user.id}`}>
          {text('leave.back')}
        </ButtonLink>
      </div>
    </ActionForm>
  );
}
