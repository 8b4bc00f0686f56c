import { textIn } from '#lib/messages/text.ts';
import { Button } from './button.tsx';
import { Hidden } from './hidden.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import type { ScreenProps } from './view-models.ts';

type Props = Pick<ScreenProps, 'locale'> & {
  action: string;
  hidden: Record<string, string | undefined>;
  username: string;
  passwordLength: number;
  error?: string;
  submit: string;
};

/** Asks for a new password for a user whose name is known. */
export function NewPasswordForm({ action, hidden, locale, ...props }: Props) {
  const text = textIn(locale);
  return (
    <form method="post" action={action} className="grid gap-4">
      <Hidden fields={hidden} />
      {/* Tells password managers whose password this is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        defaultValue={props.username}
        hidden
        readOnly
      />
      <NewPasswordField
        name="new_password"
        label={text('reset.password')}
        error={props.error}
        length={props.passwordLength}
        autoFocus
        locale={locale}
      />
      <Button wide className="mt-2">
        {props.submit}
      </Button>
    </form>
  );
}
