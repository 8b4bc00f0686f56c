'use client';

import { type InputHTMLAttributes, useEffect, useRef, useState } from 'react';
import { Input } from './input.tsx';

export type PasswordWords = { show: string; hide: string; showLabel: string; hideLabel: string };

/** A password input. The show button requires scripts. */
export function PasswordInput({
  words,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { words: PasswordWords }) {
  const [ready, setReady] = useState(false);
  const [shown, setShown] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setReady(true);
    // Browsers remember text inputs for suggestions, so it is hidden again before submit.
    const conceal = () => setShown(false);
    const form = box.current?.closest('form');
    form?.addEventListener('submit', conceal);
    return () => form?.removeEventListener('submit', conceal);
  }, []);

  return (
    <div ref={box} className="relative">
      <Input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={1024}
        {...rest}
        type={shown ? 'text' : 'password'}
        className="pe-18"
      />
      {ready && (
        <button
          type="button"
          className="absolute inset-y-1 end-1 min-w-15 rounded-lg px-2.5 text-sm font-semibold text-accent hover:bg-accent-tint"
          aria-label={shown ? words.hideLabel : words.showLabel}
          onClick={() => setShown(!shown)}
        >
          {shown ? words.hide : words.show}
        </button>
      )}
    </div>
  );
}
