'use client';

import { useText } from '../../../../ui/browser-text.tsx';
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

type Meanings = Readonly<Record<string, string>>;
type Call = 'refresh' | 'userinfo' | 'introspect' | 'revoke';

/** The requests that an app makes by itself, each one click. */
export function TrialForm({
  clientId,
  answer,
  meanings,
}: {
  clientId: string;
  answer: string;
  meanings: Meanings;
}) {
  const text = useText();
  return (
    <ActionForm
      action={continueTrial}
      label={text('trial.title')}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <Hidden fields={{ client: clientId }} />
      <Steps answer={answer} meanings={meanings} />
    </ActionForm>
  );
}

function Steps({ answer, meanings }: { answer: string; meanings: Meanings }) {
  const text = useText();
  const { state } = useForm();
  const shown = (state as FormState<TrialShown>).result;
  const held = shown?.held ?? state.values?.held?.[0];
  return (
    <>
      <Hidden fields={held === undefined ? { answer } : { held }} />
      <Card id="redeem" title={text('trial.redeem')} text={text('trial.redeemText')}>
        {shown ? (
          <ExchangeText name={text('trial.redeem')} exchange={shown.exchange} />
        ) : (
          <Submit>{text('trial.redeemNow')}</Submit>
        )}
      </Card>
      {shown && <Tokens shown={shown} meanings={meanings} />}
    </>
  );
}

function Tokens({
  shown: { idToken, has, last },
  meanings,
}: {
  shown: TrialShown;
  meanings: Meanings;
}) {
  const text = useText();
  if (!has.access) return null;
  return (
    <>
      <Card id="tokens" title={text('trial.tokens')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <AdminNotice kind="warning">{text('trial.tokensText')}</AdminNotice>
          {idToken && (
            <>
              <h3 className="font-semibold">{text('trial.idToken')}</h3>
              <Raw text={idToken.header} label={text('trial.header')} />
              <Explained
                caption={text('trial.claimsOf')}
                rows={idToken.claims}
                meanings={meanings}
              />
            </>
          )}
        </div>
      </Card>
      <Card id="next" title={text('trial.next')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap gap-3">
            {has.refresh && <CallButton call="refresh" />}
            <CallButton call="userinfo" />
            <CallButton call="introspect" />
            <CallButton call="revoke" />
          </div>
          {last && <ExchangeText name={text(`trial.calls.${last.call}`)} exchange={last} />}
        </div>
      </Card>
    </>
  );
}

function CallButton({ call }: { call: Call }) {
  const text = useText();
  const kind = call === 'revoke' ? 'danger' : 'secondary';
  return (
    <Submit kind={kind} size="small" name="call" value={call}>
      {text(`trial.calls.${call}`)}
    </Submit>
  );
}

function ExchangeText({ name, exchange }: { name: string; exchange: Exchange }) {
  const text = useText();
  const { request, status, answer } = exchange;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-semibold">{text('trial.request')}</h3>
      <Raw text={request} label={text('trial.requestOf', { name })} />
      <h3 className="font-semibold">{text('trial.answer', { status: String(status) })}</h3>
      <Raw text={answer} label={text('trial.answerOf', { name })} />
    </div>
  );
}
