import { Field, type FieldProps } from './field.tsx';
import { Input } from './input.tsx';

/** The six-digit code field, with autofill for phones and password managers. */
export function CodeField({
  autoFocus,
  ...field
}: Omit<FieldProps, 'children'> & { autoFocus?: boolean }) {
  return (
    <Field {...field}>
      {(control) => (
        <Input
          {...control}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          maxLength={60}
          autoFocus={autoFocus}
          className="max-w-48 font-mono text-lg tracking-widest"
        />
      )}
    </Field>
  );
}
