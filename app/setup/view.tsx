import { textIn } from '#lib/messages/text.ts';
import { EmailField, FirstPasswordField, NameField, UsernameField } from '../ui/account-fields.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import type { Refused, ScreenProps } from '../ui/view-models.ts';

type SetupField = 'username' | 'email' | 'name' | 'password';

type SetupProps = ScreenProps &
  Refused<SetupField> & {
    csrf: string;
    token: string;
    passwordLength: number;
    values?: { username?: string; email?: string; name?: string };
  };

export function SetupView(props: SetupProps) {
  const { error, fieldErrors = {}, values = {}, locale } = props;
  const text = textIn(locale);
  const title = text('setup.title', { product: text('product.name') });
  const order: SetupField[] = ['username', 'email', 'name', 'password'];
  const wrong = order.find((field) => fieldErrors[field]);
  const first = wrong ?? (error && values.username ? 'password' : 'username');
  return (
    <Gate title={title} refused={Boolean(error || wrong)} host={props.host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">{text('setup.lead')}</p>
      <form method="post" action="/setup/submit" className="grid gap-4">
        <Hidden fields={{ csrf: props.csrf, token: props.token }} />
        <ErrorNotice error={error} locale={locale} />
        <UsernameField
          label={text('setup.username')}
          value={values.username}
          error={fieldErrors.username}
          autoFocus={first === 'username'}
        />
        <EmailField
          label={text('setup.email')}
          value={values.email}
          error={fieldErrors.email}
          autoFocus={first === 'email'}
        />
        <NameField
          value={values.name}
          error={fieldErrors.name}
          autoFocus={first === 'name'}
          locale={locale}
        />
        <FirstPasswordField
          length={props.passwordLength}
          error={fieldErrors.password}
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
