import { textIn } from '#lib/messages/text.ts';
import { PasswordField } from './password-field.tsx';
import type { ScreenProps } from './view-models.ts';

type Props = Pick<ScreenProps, 'locale'> & {
  name: 'password' | 'new_password';
  label: string;
  error?: string;
  autoFocus?: boolean;
  /** The fewest characters. */
  length: number;
};

/** A field for a password that is chosen, with a hint that a script adapts to what is typed. */
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
