'use client';

import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonLook } from './button.tsx';

export type PasskeyWords = { button: string; failed: string; cancelled: string; known: string };

type PasskeyFormProps = ButtonLook & {
  /** Where the answer of the authenticator is posted to. */
  action: string;
  use: 'sign-in' | 'factor' | 'add';
  /** The hidden fields of the form; the question to the server carries them as well. */
  fields: Readonly<Record<string, string | undefined>>;
  words: PasskeyWords;
  /** Passkeys are offered in the suggestions of the user name box, too. */
  suggest?: boolean;
  /** Stands above the button, where there is one. */
  above?: ReactNode;
};

const webauthn = () => import('@simplewebauthn/browser');
/** The challenge of a waiting page is renewed before it expires. */
const renewEvery = 4 * 60_000;

/** The one thing that needs scripts: without them, and without WebAuthn in the browser, it is not there. */
export function PasskeyForm({ action, use, fields, words, suggest = false, above, ...look }: PasskeyFormProps) {
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef({ use, fields });
  latest.current = { use, fields };

  useEffect(() => setReady(window.PublicKeyCredential !== undefined), []);

  useEffect(() => {
    if (!ready || !suggest) return;
    const wait = () => void answer(latest.current, form.current, true).catch(() => {});
    wait();
    const timer = setInterval(wait, renewEvery);
    return () => clearInterval(timer);
  }, [ready, suggest]);

  async function begin() {
    setBusy(true);
    setTrouble('');
    try {
      await answer(latest.current, form.current, false);
    } catch (error) {
      setBusy(false);
      setTrouble(words[troubleOf(error)]);
      if (suggest) void answer(latest.current, form.current, true).catch(() => {});
    }
  }

  if (!ready) return null;
  return (
    <form ref={form} method="post" action={action} className="grid gap-4">
      {Object.entries(fields).map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input type="hidden" name="credential" />
      <input type="hidden" name="challenge" />
      {above}
      {trouble && (
        <p role="alert" className="text-sm font-medium text-danger">
          {trouble}
        </p>
      )}
      <div>
        <Button {...look} type="button" disabled={busy} onClick={() => void begin()}>
          {words.button}
        </Button>
      </div>
    </form>
  );
}

type Question = Pick<PasskeyFormProps, 'use' | 'fields'>;
type Options = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** Asks the server for a challenge and the authenticator for its answer, and posts that. */
async function answer({ use, fields }: Question, form: HTMLFormElement | null, suggested: boolean): Promise<void> {
  const { startAuthentication, startRegistration, browserSupportsWebAuthnAutofill } = await webauthn();
  if (suggested && !(await browserSupportsWebAuthnAutofill())) return;
  const { options, challenge } = await ask(use, fields);
  const credential =
    use === 'add'
      ? await startRegistration({ optionsJSON: options })
      : await startAuthentication({ optionsJSON: options, useBrowserAutofill: suggested });
  if (!form) return;
  fill(form, 'credential', JSON.stringify(credential));
  fill(form, 'challenge', challenge);
  form.submit();
}

async function ask(use: string, fields: PasskeyFormProps['fields']): Promise<{ options: Options; challenge: string }> {
  const body = new URLSearchParams({ use });
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
  const response = await fetch('/passkey/options', { method: 'POST', body });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as { options: Options; challenge: string };
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = value;
}

function troubleOf(error: unknown): 'failed' | 'cancelled' | 'known' {
  const { name, code } = error as { name?: string; code?: string };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed';
}
