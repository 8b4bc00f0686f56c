import type { InputHTMLAttributes } from 'react';
import { Input } from './input.tsx';
import { PageScript } from './page-script.tsx';

type PasswordWords = { show: string; hide: string; showLabel: string; hideLabel: string };

/** The messages about new passwords that will certainly be refused. */
export type Refused = { min: number; short: string; own: string; weak: string };

/** The show button and the messages while typing need `public/enhance.js`. */
export function PasswordInput({
  words,
  refused,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  words: PasswordWords;
  refused?: Refused;
}) {
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={1024}
        {...rest}
        type="password"
        data-refused={refused && JSON.stringify(refused)}
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
