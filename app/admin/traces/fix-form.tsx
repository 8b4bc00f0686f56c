'use client';

import { placeField } from '#lib/management/attempt/place-field.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { ActionForm, useForm } from '../ui/forms/action-form.tsx';
import { TextField } from '../ui/forms/fields.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { fixAttempt } from './actions.ts';
import type { Offer, OfferHere } from './offer.ts';

type Props = {
  traceId: string;
  offer: Offer;
  label?: string;
  /** The app whose page continues to listen afterwards; if not set, the attempt is shown again. */
  clientId?: string;
};

/** The change that would fix an attempt, with its consequences; or where it can be made. */
export function FixForm({ traceId, offer, label, clientId = '' }: Props) {
  const { requestId, text } = offer;
  if ('setting' in offer)
    return (
      <div className="grid justify-items-start gap-2">
        <p>
          <UserText text={text} />
        </p>
        <ButtonLink kind="secondary" size="small" href={offer.setting.href}>
          {offer.setting.label}
        </ButtonLink>
      </div>
    );
  return (
    <ActionForm action={fixAttempt} label={label} className="grid gap-3">
      <Hidden fields={{ trace: traceId, request: requestId, client: clientId }} />
      <Sure offer={offer} />
    </ActionForm>
  );
}

/** The confirmation, open again if what was typed is not what is required. */
function Sure({ offer: { requestId, button, confirm, text, typed } }: { offer: OfferHere }) {
  const { state } = useForm();
  return (
    <Confirm label={button} text={text} open={placeField in state.faults || undefined}>
      {typed && (
        <TextField
          name={placeField}
          id={`place-${requestId}`}
          label={typed.label}
          asTyped
          maxLength={300}
          required
        />
      )}
      <Submit size="small">{confirm}</Submit>
    </Confirm>
  );
}
