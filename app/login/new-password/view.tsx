import { textIn } from '#lib/messages/text.ts';
import { Gate } from '../../ui/gate.tsx';
import { NewPasswordForm } from '../../ui/new-password-form.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';

type NewPasswordProps = ScreenProps &
  Refused<'new_password'> & {
    csrf: string;
    flow?: string;
    back?: string;
    username: string;
    passwordLength: number;
    cancelHref: string;
  };

/** Asks for the user's own password in place of one set by an admin. */
export function NewPasswordView({
  csrf,
  flow,
  back,
  username,
  passwordLength,
  cancelHref,
  fieldErrors = {},
  host,
  locale,
}: NewPasswordProps) {
  const text = textIn(locale);
  const title = text('newPassword.title');
  return (
    <Gate title={title} refused={Boolean(fieldErrors.new_password)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'newPassword.text',
          { username: <UserText className="font-semibold text-ink" text={username} /> },
          locale,
        )}
      </p>
      <NewPasswordForm
        action="/login/new-password/submit"
        hidden={{ csrf, flow, back }}
        username={username}
        passwordLength={passwordLength}
        error={fieldErrors.new_password}
        submit={text('newPassword.submit')}
        locale={locale}
      />
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={cancelHref}>
          {text('signIn.cancelPlain')}
        </a>
      </p>
    </Gate>
  );
}
