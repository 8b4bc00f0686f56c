import { textIn } from '#lib/messages/text.ts';
import { PasswordField } from './password-field.tsx';
import type { ScreenProps } from './view-models.ts';

type Props = Pick<ScreenProps, 'locale'> & {
  name: 'password' | 'new_password';
  label: string;
  error?: string;
  autoFocus?: boolean;
  /** The minimum number of characters. */
  length: number;
};

/** A field for choosing a password. A script updates its hint while the user types. */
export function NewPasswordField({ length, locale, ...field }: Props) {
  const text = textIn(locale);
  const refused = {
    min: length,
    short: text('setup.passwordShort', { min: String(length) }),
    own: text('password.own'),
    weak: text('password.weak'),
  };
  return (
    <PasswordField
      {...field}
      hint={text('setup.passwordHint', { length: String(length) })}
      autoComplete="new-password"
      refused={refused}
      locale={locale}
    />
  );
}
