'use client';

import { useText } from '../../../ui/browser-text.tsx';
import { useForm } from './action-form.tsx';

/** Marks a link that can be followed without a warning. */
export const leaves = { 'data-leaves': '' };

/** Inside a form, warns before typed values are lost by leaving the page (`public/guard.js`). */
export function UnsavedGuard() {
  const text = useText();
  if (useForm().readOnly) return null;
  return <span hidden data-guard={text('connect.leaveForm')} />;
}
