import type { Asking } from '../../../asking.ts';

/** The result of a server action for its form. */
export type FormState<Result = never> = {
  /** Differs for each answer, so that the form notices each. */
  serial: number;
  /** The fault of the form as a whole. */
  error?: string;
  faults: Record<string, string>;
  /** Typed values by field; a field may repeat. */
  values?: Record<string, string[]>;
  /** A fresh sign-in is needed before this is allowed. */
  confirm?: Asking;
  /** The version someone else saved, to compare with what was typed. */
  compareHref?: string;
  /** A result that must be shown immediately, such as a new secret. */
  result?: Result;
};

/** The hidden field of every form that says in which turn of the browser it was shown. */
export const turnField = 'turn';

export const untouched: FormState = { serial: 0, faults: {} };

/** The form's own values, without files and React's additions. */
export function typedIn(form: FormData): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$ACTION') || name === '__proto__') continue;
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}
