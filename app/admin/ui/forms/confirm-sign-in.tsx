'use client';

import type { Asking } from '../../../asking.ts';
import { lookOf } from '../../../ui/button.tsx';
import { ConfirmFields, passkeyToConfirm } from '../../../ui/confirm-fields.tsx';
import { PasskeyBox } from '../../../ui/passkey-box.tsx';
import { AdminNotice } from '../admin-notice.tsx';

type Props = {
  confirm: Asking;
  /** The button with which the form was sent, if that matters. */
  choice?: { name: string; value: string };
};

/** Comes first in a form that needs a fresh sign-in: one submit both confirms and sends it. */
export function ConfirmSignIn({ confirm, choice }: Props) {
  const { password, passkey, fault, signInHref, words } = confirm;
  return (
    <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line-strong bg-surface p-4">
      {fault && <AdminNotice kind="error">{fault}</AdminNotice>}
      {password && <ConfirmFields asking={confirm} autoFocus />}
      <div className="flex flex-wrap gap-3">
        <button
          type="submit"
          className={lookOf({ size: 'small' })}
          hidden={!password}
          name={choice?.name}
          value={choice?.value}
        >
          {words.submit}
        </button>
        {passkey && <PasskeyBox {...passkeyToConfirm(confirm)} />}
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
