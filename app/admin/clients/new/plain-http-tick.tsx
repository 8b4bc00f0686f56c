'use client';

import { useForm } from '../../ui/forms/action-form.tsx';
import { PlainHttp } from '../judged.tsx';
import type { Carried } from './carried.ts';

/** Asks about plain http while one of these fields contains such an address. */
export function PlainHttpTick({
  fields,
  initial,
}: {
  fields: readonly string[];
  initial: Carried;
}) {
  const { state } = useForm();
  const held = fields.map((name) => [name, state.values?.[name]?.[0] ?? initial[name] ?? '']);
  return <PlainHttp fields={Object.fromEntries(held)} />;
}
