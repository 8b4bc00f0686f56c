import type { InputHTMLAttributes } from 'react';
import { Input } from './input.tsx';
import { PageScript } from './page-script.tsx';

export type PasswordWords = { show: string; hide: string; showLabel: string; hideLabel: string };

/** A password input. The show button requires scripts (`public/enhance.js`). */
export function PasswordInput({
  words,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { words: PasswordWords }) {
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={1024}
        {...rest}
        type="password"
        className="pe-18"
      />
      <button
        type="button"
        hidden
        data-reveal={JSON.stringify(words)}
        className="absolute inset-y-1 end-1 min-w-15 rounded-lg px-2.5 text-sm font-semibold text-accent hover:bg-accent-tint"
        aria-label={words.showLabel}
      >
        {words.show}
      </button>
      <PageScript />
    </div>
  );
}
