import type { Work } from '#lib/identity/proof-of-work.ts';
import { textIn } from '#lib/messages/text.ts';
import type { TermsRecord } from '#lib/store/terms.ts';
import { ProviderButtons } from '../login/with/buttons.tsx';
import type { ProviderButton } from '../login/with/screen.ts';
import { EmailField, FirstPasswordField, NameField, UsernameField } from '../ui/account-fields.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { MailedCodeForm } from '../ui/mailed-code-form.tsx';
import { OwnWords, pageWords } from '../ui/own-words.tsx';
import { rich } from '../ui/rich.tsx';
import { TermsField } from '../ui/terms-text.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../ui/view-models.ts';
import { WorkField } from '../ui/work.tsx';

type RegisterProps = ScreenProps &
  Refused<'email'> & {
    csrf: string;
    flow?: string;
    appName?: string;
    email?: string;
    work: Work | null;
    signInHref: string;
    providers?: readonly ProviderButton[];
  };

/** Starts a registration: asks only for the email address, which is confirmed first. */
export function RegisterView(props: RegisterProps) {
  const { csrf, flow, appName, email, signInHref, error, fieldErrors = {}, host, locale } = props;
  const text = textIn(locale);
  const words = pageWords('registration', locale);
  const title = words.title ?? text('register.title');
  return (
    <Gate title={title} refused={Boolean(error || fieldErrors.email)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      {appName && (
        <p className="mt-0.5 text-ink-soft">
          {rich(
            'register.toContinue',
            { app: <UserText className="font-semibold text-ink" text={appName} /> },
            locale,
          )}
        </p>
      )}
      <OwnWords words={words.lead} />
      <p className="gh-text mb-6!">{text('register.text')}</p>
      <form method="post" action="/register/submit" className="grid gap-4">
        <Hidden fields={{ csrf, flow }} />
        <ErrorNotice error={error} locale={locale} />
        <EmailField
          label={text('register.email')}
          value={email}
          error={fieldErrors.email}
          autoFocus
        />
        <WorkField work={props.work} locale={locale} />
        <Button wide className="mt-2">
          {text('register.submit')}
        </Button>
      </form>
      <ProviderButtons buttons={props.providers ?? []} locale={locale} />
      <p className="mt-4 text-center text-sm text-ink-soft">
        {text('register.have')}{' '}
        <a className="gh-link inline-block py-1" href={signInHref}>
          {text('register.signIn')}
        </a>
      </p>
      <OwnWords words={words.help} />
    </Gate>
  );
}

type RegistrationCodeProps = ScreenProps &
  Refused<'code'> & {
    csrf: string;
    flow?: string;
    email: string;
    againHref: string;
    backHref: string;
  };

/** The form for the code that was mailed with the link. */
export function RegistrationCodeView(props: RegistrationCodeProps) {
  const { csrf, flow, email, error, fieldErrors = {}, host, locale } = props;
  const text = textIn(locale);
  const title = text('register.sentTitle');
  return (
    <Gate title={title} refused={Boolean(error || fieldErrors.code)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'register.codeText',
          { email: <UserText className="font-semibold text-ink" text={email} /> },
          locale,
        )}
      </p>
      <MailedCodeForm
        action="/register/code/submit"
        fields={{ csrf, flow }}
        submit={text('register.codeSubmit')}
        error={error}
        fault={fieldErrors.code}
        locale={locale}
      />
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.againHref}>
          {text('register.codeAgain')}
        </a>
      </p>
      <p className="text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.backHref}>
          {text('recover.back')}
        </a>
      </p>
    </Gate>
  );
}

type FinishField = 'username' | 'name' | 'password' | 'terms';

type FinishProps = ScreenProps &
  Refused<FinishField> & {
    csrf: string;
    token: string;
    email: string;
    passwordLength: number;
    terms: TermsRecord | null;
    values?: { username?: string; name?: string };
  };

/** Completes a registration with the link that confirmed the address. */
export function FinishView(props: FinishProps) {
  const { fieldErrors = {}, values = {}, locale } = props;
  const text = textIn(locale);
  const title = text('finish.title');
  const order: FinishField[] = ['username', 'name', 'password', 'terms'];
  const first = order.find((field) => fieldErrors[field]) ?? 'username';
  return (
    <Gate
      title={title}
      refused={Object.values(fieldErrors).some(Boolean)}
      host={props.host}
      locale={locale}
    >
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'finish.text',
          { email: <UserText className="font-semibold text-ink" text={props.email} /> },
          locale,
        )}
      </p>
      <form method="post" action="/register/finish/submit" className="grid gap-4">
        <Hidden fields={{ csrf: props.csrf, token: props.token }} />
        <UsernameField
          label={text('finish.username')}
          hint={text('finish.usernameHint')}
          value={values.username}
          error={fieldErrors.username}
          autoFocus={first === 'username'}
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
        <TermsField terms={props.terms} error={fieldErrors.terms} locale={locale} />
        <Button wide className="mt-2">
          {text('finish.submit')}
        </Button>
      </form>
    </Gate>
  );
}
