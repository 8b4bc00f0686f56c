import type { ReactNode } from 'react';
import { Icon } from './line-icon.tsx';

/** The ids that tie a control to its label, hint and error. */
export type ControlProps = {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
};

export type FieldProps = {
  name: string;
  label: ReactNode;
  /** Needed if a page has two fields with the same name. */
  id?: string;
  hint?: ReactNode;
  error?: string;
  /** The "optional" marker; absent for required fields. */
  optional?: string;
  children: (control: ControlProps) => ReactNode;
};

/** Label, control, hint and error, associated accessibly. */
export function Field({ name, label, id = name, hint, error, optional, children }: FieldProps) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
        {optional && <span className="font-normal text-ink-soft"> ({optional})</span>}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm font-medium text-danger">
          <Icon name="alert" className="mt-0.5 size-4" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
