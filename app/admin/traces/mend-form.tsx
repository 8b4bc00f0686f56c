import type { Mend, TraceStep } from '#lib/management/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { mendAttempt } from './actions.ts';

/** The one-click change, after saying what it means. */
export function MendForm({
  traceId,
  step,
  mend,
}: {
  traceId: string;
  step: TraceStep;
  mend: Mend;
}) {
  const { button, confirm } = words.mend[mend.kind];
  return (
    <ActionForm action={mendAttempt} className="grid gap-3">
      <Hidden fields={{ trace: traceId, request: step.requestId }} />
      <Confirm label={button} text={meaningOf(mend)}>
        <Submit size="small">{confirm}</Submit>
      </Confirm>
    </ActionForm>
  );
}

function meaningOf({ kind, value, newHost }: Mend): string {
  const text = words.mendText[kind](stripBidi(value));
  return newHost === undefined ? text : `${words.mendElsewhere(stripBidi(newHost))} ${text}`;
}
