import type { Work } from '#lib/identity/proof-of-work.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Input } from '../ui/input.tsx';
import { NewPasswordForm } from '../ui/new-password-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../ui/view-models.ts';
import { WorkField } from '../ui/work.tsx';

type RecoverProps = ScreenProps &
  Refused<'username'> & {
    csrf: string;
    flow?: string;
    username?: string;
    work: Work | null;
    backHref: string;
  };

export function RecoverView({
  csrf,
  flow,
  username,
  work,
  backHref,
  error,
  fieldErrors = {},
  host,
  locale,
}: RecoverProps) {
  const text = textIn(locale);
  const title = text('recover.title');
  return (
    <Gate
      title={title}
      refused={Boolean(error || fieldErrors.username)}
      host={host}
      locale={locale}
    >
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">{text('recover.text')}</p>
      <form method="post" action="/recover/submit" className="grid gap-4">
        <Hidden fields={{ csrf, flow }} />
        <ErrorNotice error={error} locale={locale} />
        <Field name="username" label={text('signIn.username')} error={fieldErrors.username}>
          {(control) => (
            <Input
              {...control}
              required
              defaultValue={username}
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={320}
              autoFocus
            />
          )}
        </Field>
        <WorkField work={work} locale={locale} />
        <Button wide className="mt-2">
          {text('recover.submit')}
        </Button>
      </form>
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={backHref}>
          {text('recover.back')}
        </a>
      </p>
    </Gate>
  );
}

type ResetProps = ScreenProps &
  Refused<'new_password'> & {
    csrf: string;
    token: string;
    username: string;
    passwordLength: number;
    done?: string;
  };

export function ResetView({
  csrf,
  token,
  username,
  passwordLength,
  done,
  fieldErrors = {},
  host,
  locale,
}: ResetProps) {
  const text = textIn(locale);
  const title = text('reset.title');
  return (
    <Gate title={title} refused={Boolean(fieldErrors.new_password)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      {done && (
        <Notice kind="success" locale={locale}>
          {done}
        </Notice>
      )}
      <p className="gh-text mb-6!">
        {rich(
          done ? 'reset.textFor' : 'reset.text',
          { username: <UserText className="font-semibold text-ink" text={username} /> },
          locale,
        )}
      </p>
      <NewPasswordForm
        action="/recover/reset/submit"
        hidden={{ csrf, token }}
        username={username}
        passwordLength={passwordLength}
        error={fieldErrors.new_password}
        submit={text('reset.submit')}
        locale={locale}
      />
    </Gate>
  );
}
