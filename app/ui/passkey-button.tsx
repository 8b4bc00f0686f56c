'use client';

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonLook } from './button.tsx';

export type PasskeyWords = { button: string; failed: string; cancelled: string; known: string };

type Fields = Readonly<Record<string, string | undefined>>;
type Question = {
  /** Where the authenticator's answer is posted. */
  action: string;
  use: 'sign-in' | 'factor' | 'add';
  /** Hidden fields, sent with both requests. */
  fields: Fields;
};

type PasskeyButtonProps = ButtonLook &
  Question & {
    words: PasskeyWords;
    /** Whether passkeys are also offered as autofill in the username field. */
    suggest?: boolean;
    /** Shown above the button. */
    above?: ReactNode;
  };

const webauthn = () => import('@simplewebauthn/browser');
/** Renews the challenge of a waiting page before it expires. */
const renewEvery = 4 * 60_000;

/** The passkey button. Requires scripts and WebAuthn; hidden without them. */
export function PasskeyButton({
  action,
  use,
  fields,
  words,
  suggest = false,
  above,
  ...look
}: PasskeyButtonProps) {
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const question = useRef<Question>({ action, use, fields });

  useEffect(() => setReady(window.PublicKeyCredential !== undefined), []);

  useEffect(() => {
    if (!ready || !suggest) return;
    offer(question.current);
    const timer = setInterval(() => offer(question.current), renewEvery);
    return () => clearInterval(timer);
  }, [ready, suggest]);

  async function begin() {
    setBusy(true);
    setTrouble('');
    try {
      await answer(question.current, false);
    } catch (error) {
      setBusy(false);
      setTrouble(words[troubleOf(error)]);
      if (suggest) offer(question.current);
    }
  }

  if (!ready) return null;
  return (
    <>
      {above}
      {trouble && (
        <p role="alert" className="mb-3 text-sm font-medium text-danger">
          {trouble}
        </p>
      )}
      <Button {...look} type="button" disabled={busy} onClick={() => void begin()}>
        {words.button}
      </Button>
    </>
  );
}

/** Waits for a passkey chosen from autofill; silent if none is. */
function offer(question: Question): void {
  void answer(question, true).catch(() => {});
}

type Options = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** Fetches a challenge, asks the authenticator, and posts its answer. */
async function answer({ action, use, fields }: Question, suggested: boolean): Promise<void> {
  const { startAuthentication, startRegistration, browserSupportsWebAuthnAutofill } =
    await webauthn();
  if (suggested && !(await browserSupportsWebAuthnAutofill())) return;
  const { options, challenge } = await ask(use, fields);
  const credential =
    use === 'add'
      ? await startRegistration({ optionsJSON: options })
      : await startAuthentication({ optionsJSON: options, useBrowserAutofill: suggested });
  post(action, { ...fields, challenge, credential: JSON.stringify(credential) });
}

async function ask(use: string, fields: Fields): Promise<{ options: Options; challenge: string }> {
  const body = new URLSearchParams({ use, ...present(fields) });
  const response = await fetch('/passkey/options', { method: 'POST', body });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as { options: Options; challenge: string };
}

/** Submits a form of hidden fields like any other form. */
function post(action: string, fields: Fields): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.hidden = true;
  for (const [name, value] of Object.entries(present(fields))) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

function present(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function troubleOf(error: unknown): 'failed' | 'cancelled' | 'known' {
  const { name, code } = error as { name?: string; code?: string };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed';
}
