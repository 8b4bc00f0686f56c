import type { ComponentProps, TextareaHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

/** The shared box of inputs, selects and text areas. */
export const boxClass =
  // In right-to-left pages, values such as phone numbers keep their own direction.
  'block w-full min-h-11 rounded-xl border border-line-strong bg-surface px-3.5 py-2 text-base text-ink ' +
  'placeholder:text-ink-soft hover:border-ink focus-visible:border-accent focus-visible:outline-2 ' +
  'focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-danger aria-invalid:outline-danger ' +
  'disabled:bg-sunken disabled:text-ink-soft disabled:hover:border-line-strong rtl:[unicode-bidi:plaintext]';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={classNames(boxClass, className)} />;
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea rows={3} {...rest} className={classNames(boxClass, className)} />;
}

/** The style of file inputs. */
export const fileClass =
  'block w-full min-w-0 text-sm file:me-3 file:cursor-pointer file:rounded-lg file:border file:border-line-strong file:bg-surface file:px-3 file:py-2 file:font-semibold file:text-ink hover:file:border-ink';
