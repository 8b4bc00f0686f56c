'use client';

import { useText } from '../../../ui/browser-text.tsx';
import { useForm } from './action-form.tsx';

/** Marks a link that may be followed without a question. */
export const leaves = { 'data-leaves': '' };

/** Stands in a form: what was typed into it is not lost without a question (`public/guard.js`). */
export function UnsavedGuard() {
  const text = useText();
  if (useForm().readOnly) return null;
  return <span hidden data-guard={text('connect.leaveForm')} />;
}
