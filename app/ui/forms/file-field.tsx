'use client';

import type { ReactNode } from 'react';
import { Field } from '../field.tsx';
import { useField } from './fields.tsx';

/** A file to upload. Browsers keep the choice nowhere, so it is chosen anew after a refusal. */
export function FileField({ name, label, hint, accept }: { name: string; label: string; hint?: ReactNode; accept: string }) {
  const { error } = useField(name, undefined);
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          type="file"
          required
          accept={accept}
          className="block w-full text-sm file:me-3 file:cursor-pointer file:rounded-lg file:border file:border-line-strong file:bg-surface file:px-3 file:py-2 file:font-semibold file:text-ink hover:file:border-ink"
        />
      )}
    </Field>
  );
}
