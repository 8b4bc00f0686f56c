'use client';

import type { ReactNode } from 'react';
import { useText } from '../../../../ui/browser-text.tsx';
import { useForm } from '../../../ui/forms/action-form.tsx';

/**
 * Rarely needed fields, folded. Opens if a field inside is refused, or for a link to something
 * inside (`public/dashboard.js`).
 */
export function Advanced({
  fields,
  children,
}: {
  /** The names of the fields inside. */
  fields: readonly string[];
  children: ReactNode;
}) {
  const text = useText();
  const { state } = useForm();
  const refused = fields.some((name) => name in state.faults);
  return (
    <details open={refused || undefined}>
      <summary className="cursor-pointer rounded-2xl border border-line bg-surface px-5 py-4 sm:px-6">
        <span className="text-lg font-semibold tracking-tight">{text('app.advanced')}</span>
        <span className="block text-sm text-ink-soft">{text('app.advancedText')}</span>
      </summary>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
    </details>
  );
}
