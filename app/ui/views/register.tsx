import { textIn } from '#lib/messages/text.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { Gate } from '../gate.tsx';
import { Given } from '../given.tsx';
import { Hidden } from '../hidden.tsx';
import { Input } from '../input.tsx';
import { Notice } from '../notice.tsx';
import { PasswordField } from '../password-field.tsx';
import { rich } from '../rich.tsx';
import type { Refused, ScreenProps } from './types.ts';

export type RegisterProps = ScreenProps &
  Refused<'email'> & { csrf: string; flow?: string; appName?: string; email?: string; signInHref: string };

/** Begins an account: only the address is asked for, and confirmed before anything else. */
export function RegisterView(props: RegisterProps) {
  const { csrf, flow, appName, email, signInHref, error, fieldErrors = {}, host, locale } = props;
  const text = textIn(locale);
  const title = text('register.title');
  return (
    <Gate title={title} refused={Boolean(error || fieldErrors.email)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      {appName && (
        <p className="mt-0.5 text-ink-soft">
          {rich('register.toContinue', { app: <Given className="font-semibold text-ink" text={appName} /> }, locale)}
        </p>
      )}
      <p className="gh-text mb-6!">{text('register.text')}</p>
      <form method="post" action="/register/submit" className="grid gap-4">
        <Hidden fields={{ csrf, flow }} />
        {error && (
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        )}
        <Field name="email" label={text('register.email')} error={fieldErrors.email}>
          {(control) => (
            <Input
              {...control}
              required
              inputMode="email"
              defaultValue={email}
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              autoFocus
            />
          )}
        </Field>
        <Button wide className="mt-2">
          {text('register.submit')}
        </Button>
      </form>
      <p className="mt-4 text-center text-sm text-ink-soft">
        {text('register.have')}{' '}
        <a className="gh-link inline-block py-1" href={signInHref}>
          {text('register.signIn')}
        </a>
      </p>
    </Gate>
  );
}

type FinishField = 'username' | 'name' | 'password';

export type FinishProps = ScreenProps &
  Refused<FinishField> & {
    csrf: string;
    token: string;
    email: string;
    passwordLength: number;
    values?: { username?: string; name?: string };
  };

/** The rest of an account, by the link that confirmed the address. */
export function FinishView(props: FinishProps) {
  const { fieldErrors = {}, values = {}, locale } = props;
  const text = textIn(locale);
  const title = text('finish.title');
  const order: FinishField[] = ['username', 'name', 'password'];
  const first = order.find((field) => fieldErrors[field]) ?? 'username';
  return (
    <Gate title={title} refused={Object.values(fieldErrors).some(Boolean)} host={props.host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich('finish.text', { email: <Given className="font-semibold text-ink" text={props.email} /> }, locale)}
      </p>
      <form method="post" action="/register/finish/submit" className="grid gap-4">
        <Hidden fields={{ csrf: props.csrf, token: props.token }} />
        <Field name="username" label={text('finish.username')} hint={text('finish.usernameHint')} error={fieldErrors.username}>
          {(control) => (
            <Input
              {...control}
              required
              defaultValue={values.username}
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={64}
              autoFocus={first === 'username'}
            />
          )}
        </Field>
        <Field name="name" label={text('setup.name')} error={fieldErrors.name} optional={text('field.optional')}>
          {(control) => (
            <Input {...control} defaultValue={values.name} autoComplete="name" maxLength={200} autoFocus={first === 'name'} />
          )}
        </Field>
        <PasswordField
          name="password"
          label={text('setup.password')}
          error={fieldErrors.password}
          hint={text('setup.passwordHint', { length: String(props.passwordLength) })}
          autoComplete="new-password"
          autoFocus={first === 'password'}
          locale={locale}
        />
        <Button wide className="mt-2">
          {text('finish.submit')}
        </Button>
      </form>
    </Gate>
  );
}
