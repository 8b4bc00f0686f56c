'use client';

import type { ButtonHTMLAttributes } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { Button, type ButtonLook } from '../../../ui/button.tsx';
import { useForm } from './action-form.tsx';

/** A submit button that shows progress and keeps the focus; absent where nothing can be sent. */
export function Submit({
  children,
  ...rest
}: ButtonLook & ButtonHTMLAttributes<HTMLButtonElement>) {
  const text = useText();
  const { pending, readOnly } = useForm();
  if (readOnly) return null;
  return (
    <Button
      {...rest}
      aria-disabled={pending || undefined}
      className={pending ? 'opacity-70' : undefined}
    >
      {children}
      {pending && <span className="sr-only">{text('frame.working')}</span>}
    </Button>
  );
}
