'use client';

import { useForm } from './action-form.tsx';

/** What was stored when the form was made, or when a refusal showed it; for saving only what nobody else changed. */
export function SeenAs({ name, value }: { name: string; value: string }) {
  const { state } = useForm();
  return <input type="hidden" name={name} value={state.values?.[name]?.[0] ?? value} readOnly />;
}

/** The same for a form about one thing. */
export function Seen({ value }: { value: string }) {
  return <SeenAs name="seen" value={value} />;
}
