'use client';

import type { ReactNode } from 'react';
import { Icon } from '../../ui/line-icon.tsx';
import { useField } from '../ui/forms/fields.tsx';
import { federatedName as name } from './federated-names.ts';

type Props = { title: string; hint: string; rows: number; open: boolean; children: ReactNode };

/** The rules, folded while there are none. Errors about them are shown above the rules. */
export function FederatedFrame({ title, hint, rows, open, children }: Props) {
  const { error } = useField(name, undefined);
  return (
    <details open={open || error !== undefined || undefined}>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">{title}</summary>
      <fieldset
        aria-describedby={error && `${name}-error`}
        aria-invalid={error ? true : undefined}
        className="mt-2 grid gap-4"
      >
        <legend className="sr-only">{title}</legend>
        <input type="hidden" name={name} value={rows} />
        <p className="text-sm text-ink-soft">{hint}</p>
        {error && (
          <p id={`${name}-error`} className="flex gap-1.5 text-sm font-medium text-danger">
            <Icon name="alert" className="mt-0.5 size-4" />
            <span>{error}</span>
          </p>
        )}
        {children}
      </fieldset>
    </details>
  );
}
