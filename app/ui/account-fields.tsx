import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import { NewPasswordField } from './new-password-field.tsx';

type Common = { value?: string; error?: string; autoFocus?: boolean };
type InWords = Common & { locale: Locale };

/** The fields of account forms, the same everywhere. */
export function UsernameField({
  label,
  hint,
  value,
  error,
  autoFocus,
}: Common & { label: string; hint?: string }) {
  return (
    <Field name="username" label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          required
          defaultValue={value}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={64}
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}

export function EmailField({ label, value, error, autoFocus }: Common & { label: string }) {
  return (
    <Field name="email" label={label} error={error}>
      {(control) => (
        <Input
          {...control}
          required
          inputMode="email"
          defaultValue={value}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}

export function NameField({ value, error, autoFocus, locale }: InWords) {
  const text = textIn(locale);
  return (
    <Field name="name" label={text('setup.name')} error={error} optional={text('field.optional')}>
      {(control) => (
        <Input
          {...control}
          defaultValue={value}
          autoComplete="name"
          maxLength={200}
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}

export function FirstPasswordField({
  length,
  error,
  autoFocus,
  locale,
}: InWords & { length: number }) {
  const text = textIn(locale);
  return (
    <NewPasswordField
      name="password"
      label={text('setup.password')}
      error={error}
      length={length}
      autoFocus={autoFocus}
      locale={locale}
    />
  );
}
