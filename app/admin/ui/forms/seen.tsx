'use client';

import { useForm } from './action-form.tsx';

/** The stored values the form (or a refusal) showed, to save only what no one else changed. */
export function SeenAs({ name, value }: { name: string; value: string }) {
  const { state } = useForm();
  return <input type="hidden" name={name} value={state.values?.[name]?.[0] ?? value} readOnly />;
}

/** The same for a form with one version. */
export function Seen({ value }: { value: string }) {
  return <SeenAs name="seen" value={value} />;
}
