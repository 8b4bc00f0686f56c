import { textIn } from '#lib/messages/text.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { Gate } from '../gate.tsx';
import { Hidden } from '../hidden.tsx';
import { Input } from '../input.tsx';
import { Notice } from '../notice.tsx';
import { PasswordField } from '../password-field.tsx';
import type { Refused, ScreenProps } from './types.ts';

type SetupField = 'username' | 'email' | 'name' | 'password';

export type SetupProps = ScreenProps &
  Refused<SetupField> & {
    csrf: string;
    token: string;
    passwordLength: number;
    values?: { username?: string; email?: string; name?: string };
  };

/** Makes the first account. */
export function SetupView(props: SetupProps) {
  const { error, fieldErrors = {}, values = {}, locale } = props;
  const text = textIn(locale);
  const title = text('setup.title', { product: text('product.name') });
  const order: SetupField[] = ['username', 'email', 'name', 'password'];
  const wrong = order.find((field) => fieldErrors[field]);
  const first = wrong ?? (error && values.username ? 'password' : 'username');
  const length = String(props.passwordLength);
  return (
    <Gate title={title} refused={Boolean(error || wrong)} host={props.host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">{text('setup.lead')}</p>
      <form method="post" action="/setup/submit" className="grid gap-4">
        <Hidden fields={{ csrf: props.csrf, token: props.token }} />
        {error && (
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        )}
        <Field name="username" label={text('setup.username')} error={fieldErrors.username}>
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
        <Field name="email" label={text('setup.email')} error={fieldErrors.email}>
          {(control) => (
            <Input
              {...control}
              required
              inputMode="email"
              defaultValue={values.email}
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              autoFocus={first === 'email'}
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
          hint={text('setup.passwordHint', { length })}
          autoComplete="new-password"
          autoFocus={first === 'password'}
          locale={locale}
        />
        <Button wide className="mt-2">
          {text('setup.submit')}
        </Button>
      </form>
    </Gate>
  );
}
