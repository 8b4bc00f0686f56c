import type { InputHTMLAttributes } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Field, type FieldProps } from './field.tsx';
import { PasswordInput, type Refused } from './password-input.tsx';

type PasswordFieldProps = Omit<FieldProps, 'children'> & {
  autoComplete: 'current-password' | 'new-password';
  /** For a new password: the messages shown while the user types. */
  refused?: Refused;
  locale: Locale;
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'autoFocus' | 'minLength'>;

/** A labelled password field; never prefilled. */
export function PasswordField({
  autoComplete,
  autoFocus,
  minLength,
  refused,
  locale,
  ...field
}: PasswordFieldProps) {
  const text = textIn(locale);
  const words = {
    show: text('field.showPassword'),
    hide: text('field.hidePassword'),
    showLabel: text('field.showPasswordLabel'),
    hideLabel: text('field.hidePasswordLabel'),
  };
  return (
    <Field {...field}>
      {(control) => (
        <PasswordInput
          {...control}
          required
          words={words}
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          minLength={minLength}
          refused={refused}
        />
      )}
    </Field>
  );
}
