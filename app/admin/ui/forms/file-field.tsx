'use client';

import type { ReactNode } from 'react';
import { Field } from '../../../ui/field.tsx';
import { useField } from './fields.tsx';

/** A file to upload. Browsers don't keep the choice, so it must be chosen again after a refusal. */
export function FileField({
  name,
  label,
  hint,
  accept,
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  accept: string;
}) {
  const { error } = useField(name, undefined);
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      {(control) => <input {...control} type="file" required accept={accept} />}
    </Field>
  );
}
