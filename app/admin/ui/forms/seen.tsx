'use client';

import { useForm } from './action-form.tsx';

/**
 * The stored value that the form (or a refusal) showed, so that no one else's change is
 * overwritten.
 */
export function SeenAs({ name, value }: { name: string; value: string }) {
  const { state } = useForm();
  return <input type="hidden" name={name} value={state.values?.[name]?.[0] ?? value} readOnly />;
}

/** The same for a form with a single version. */
export function Seen({ value }: { value: string }) {
  return <SeenAs name="seen" value={value} />;
}
