'use client';

import type { ReactNode } from 'react';
import { useForm } from '../../ui/forms/action-form.tsx';

/** Folded fields, which open when one of them needs attention. */
export function Folded({
  summary,
  text,
  names,
  open,
  children,
}: {
  summary: string;
  text: string;
  names: readonly string[];
  open: boolean;
  children: ReactNode;
}) {
  const { state } = useForm();
  const isFaulty = names.some((name) => state.faults[name] !== undefined);
  return (
    <details
      open={open || isFaulty}
      className="rounded-2xl border border-line bg-surface p-5 sm:p-6"
    >
      <summary className="w-fit cursor-pointer text-lg font-semibold tracking-tight">
        {summary}
      </summary>
      <p className="mt-1 mb-5 text-ink-soft">{text}</p>
      {children}
    </details>
  );
}
