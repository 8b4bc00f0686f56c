'use client';

import type { ReactNode } from 'react';
import { useForm } from './action-form.tsx';

type FoldProps = {
  title: string;
  /** The names of the fields inside. */
  names: readonly string[];
  open?: boolean;
  children: ReactNode;
};

/** Rarely needed fields of a form, open while one of them is wrong. */
export function Fold({ title, names, open = false, children }: FoldProps) {
  const { state } = useForm();
  const wrong = names.some((name) => state.faults[name]);
  return (
    <details open={open || wrong} className="rounded-xl border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-semibold">{title}</summary>
      <div className="gh-columns mt-4 pb-1">{children}</div>
    </details>
  );
}
