'use client';

import { useEffect, useRef, useState } from 'react';
import { confirmFields } from '#lib/interaction/confirm-fields.ts';
import type { Asking } from '../../../asking.ts';
import { Button, lookOf } from '../../../ui/button.tsx';
import { ConfirmFields } from '../../../ui/confirm-fields.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { AdminNotice } from '../admin-notice.tsx';

type Props = {
  confirm: Asking;
  /** Which button the form was sent with, where that matters. */
  choice?: { name: string; value: string };
};

/** Stands at the beginning of a form that needs a fresh sign-in: one submit confirms and sends it. */
export function ConfirmSignIn({ confirm, choice }: Props) {
  const { password, passkey, fault, signInHref, words } = confirm;
  const send = useRef<HTMLButtonElement>(null);
  return (
    <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line-strong bg-surface p-4">
      {fault && <AdminNotice kind="error">{fault}</AdminNotice>}
      {password && <ConfirmFields asking={confirm} autoFocus />}
      <div className="flex flex-wrap gap-3">
        <button
          ref={send}
          type="submit"
          className={lookOf({ size: 'small' })}
          hidden={!password}
          name={choice?.name}
          value={choice?.value}
        >
          {words.submit}
        </button>
        {passkey && <Passkey asking={confirm} send={() => send.current?.click()} />}
      </div>
      {!password && (
        <p className="text-sm">
          {words.onSignInPage}{' '}
          <a className="gh-link font-semibold" href={signInHref} target="_blank" rel="noreferrer">
            {words.signInAgain}
          </a>
        </p>
      )}
    </div>
  );
}

type Asked = { options: object; challenge: string };

/** Asks for a passkey, and sends the form with its answer. Needs scripts. */
function Passkey({ asking: { csrf, words }, send }: { asking: Asking; send: () => void }) {
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const [answer, setAnswer] = useState<Record<string, string> | null>(null);
  const onAnswer = useRef(send);
  onAnswer.current = send;
  useEffect(() => setReady(window.PublicKeyCredential !== undefined), []);
  useEffect(() => {
    if (answer) onAnswer.current();
  }, [answer]);
  if (!ready) return null;

  async function ask() {
    setFailed(false);
    try {
      const body = new URLSearchParams({ csrf, use: 'sign-in' });
      const response = await fetch('/passkey/options', { method: 'POST', body });
      const { options, challenge } = (await response.json()) as Asked;
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const credential = await startAuthentication({ optionsJSON: options as never });
      setAnswer({
        [confirmFields.challenge]: challenge,
        [confirmFields.credential]: JSON.stringify(credential),
      });
    } catch {
      setFailed(true);
    }
  }

  return (
    <>
      <Button type="button" kind="secondary" size="small" onClick={() => void ask()}>
        {words.passkey}
      </Button>
      {answer && <Hidden fields={answer} />}
      {failed && (
        <p role="alert" className="text-sm font-medium text-danger">
          {words.passkeyFailed}
        </p>
      )}
    </>
  );
}
