import type { ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';

export type PasskeyWords = { button: string; failed: string; cancelled: string; known: string };

export type PasskeyButtonProps = ButtonLook & {
  /** Where the authenticator's answer is posted. */
  action?: string;
  /** The fields of the surrounding form that take the answer, which is then sent. */
  into?: { challenge: string; credential: string };
  use: 'sign-in' | 'factor' | 'add';
  /** Hidden fields, sent with both requests. */
  fields: Readonly<Record<string, string | undefined>>;
  words: PasskeyWords;
  /** Whether passkeys are also offered as autofill in the username field. */
  suggest?: boolean;
  /** Shown above the button. */
  above?: ReactNode;
};

/** A button that stays hidden until `public/enhance.js` finds that passkeys work here. */
export function PasskeyBox(props: PasskeyButtonProps) {
  const { action, into, use, fields, words, suggest = false, above, ...look } = props;
  return (
    <div hidden data-passkey={JSON.stringify({ action, into, use, fields, words, suggest })}>
      {above}
      <p role="alert" hidden className="mb-3 text-sm font-medium text-danger" />
      <Button {...look} type="button">
        {words.button}
      </Button>
    </div>
  );
}
