'use client';

import { useState } from 'react';
import { trialWords as words } from '#lib/messages/admin/trial.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { ActionForm, useForm } from '../../../ui/forms/action-form.tsx';
import type { FormState } from '../../../ui/forms/state.ts';
import { Submit } from '../../../ui/forms/submit.tsx';
import { continueTrial } from './actions.ts';
import type { Exchange } from './own-call.ts';
import { Explained, Raw } from './raw.tsx';
import type { TrialShown } from './trial-steps.ts';

/** The requests that the app makes by itself, one click each. */
export function TrialForm({ clientId, answer }: { clientId: string; answer: string }) {
  return (
    <ActionForm
      action={continueTrial}
      label={words.title}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <Hidden fields={{ client: clientId }} />
      <Steps answer={answer} />
    </ActionForm>
  );
}

function Steps({ answer }: { answer: string }) {
  const { state } = useForm();
  const given = (state as FormState<TrialShown>).result;
  // A refusal, such as of an old sign-in, leaves what was shown.
  const [kept, setKept] = useState(given);
  if (given && given !== kept) setKept(given);
  const shown = given ?? kept;
  const held = shown?.held ?? state.values?.held?.[0];
  return (
    <>
      <Hidden fields={held === undefined ? { answer } : { held }} />
      <Card id="redeem" title={words.redeem} text={words.redeemText}>
        {shown ? (
          <ExchangeText name={words.redeem} exchange={shown.exchange} />
        ) : (
          <Submit>{words.redeemNow}</Submit>
        )}
      </Card>
      {shown && <Tokens shown={shown} />}
    </>
  );
}

function Tokens({ shown: { idToken, has, last } }: { shown: TrialShown }) {
  if (!has.access) return null;
  return (
    <>
      <Card id="tokens" title={words.tokens}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <AdminNotice kind="warning">{words.tokensText}</AdminNotice>
          {idToken && (
            <>
              <h3 className="font-semibold">{words.idToken}</h3>
              <Raw text={idToken.header} label={words.header} />
              <Explained caption={words.claimsOf} rows={idToken.claims} meanings={words.claims} />
            </>
          )}
        </div>
      </Card>
      <Card id="next" title={words.next}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap gap-3">
            {has.refresh && <CallButton call="refresh" />}
            <CallButton call="userinfo" />
            <CallButton call="introspect" />
            <CallButton call="revoke" />
          </div>
          {last && <ExchangeText name={words.calls[last.call]} exchange={last} />}
        </div>
      </Card>
    </>
  );
}

function CallButton({ call }: { call: keyof typeof words.calls }) {
  const kind = call === 'revoke' ? 'danger' : 'secondary';
  return (
    <Submit kind={kind} size="small" name="call" value={call}>
      {words.calls[call]}
    </Submit>
  );
}

function ExchangeText({ name, exchange }: { name: string; exchange: Exchange }) {
  const { request, status, answer } = exchange;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-semibold">{words.request}</h3>
      <Raw text={request} label={words.requestOf(name)} />
      <h3 className="font-semibold">{words.answer(status)}</h3>
      <Raw text={answer} label={words.answerOf(name)} />
    </div>
  );
}
