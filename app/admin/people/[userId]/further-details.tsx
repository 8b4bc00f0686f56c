'use client';

import type { ReactNode } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { useForm } from '../../ui/forms/action-form.tsx';

/** Rarely needed fields, open while one of them is wrong. */
export function FurtherDetails({
  names,
  open,
  children,
}: {
  names: readonly string[];
  open: boolean;
  children: ReactNode;
}) {
  const text = useText();
  const { state } = useForm();
  const wrong = names.some((name) => state.faults[name]);
  return (
    <details open={open || wrong} className="rounded-xl border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-semibold">{text('people.further')}</summary>
      <div className="mt-4 grid items-start gap-5 pb-1 md:grid-cols-2">{children}</div>
    </details>
  );
}
