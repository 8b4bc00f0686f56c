import type { ReactNode } from 'react';
import type { SignInWork } from '#lib/identity/proof-of-work.ts';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import { textIn } from '#lib/messages/text.ts';
import type { Lack } from '#lib/oauth/sign-in-rules.ts';
import { AppMark } from '../ui/app-mark.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/notice.tsx';
import { AppLine, OwnWords, pageWords } from '../ui/own-words.tsx';
import { PasskeyButton } from '../ui/passkey-button.tsx';
import { passkeyWords } from '../ui/passkey-words.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../ui/view-models.ts';
import { WorkField } from '../ui/work.tsx';
import { type AccountToShow, ChosenAccount } from './chosen-account.tsx';
import { Divider } from './divider.tsx';
import { ProviderButtons } from './with/buttons.tsx';
import type { ProviderButton } from './with/screen.ts';

type SignInProps = ScreenProps &
  Refused<'username' | 'password'> & {
    csrf: string;
    flow?: string;
    /** The page of ours to return to. */
    back?: string;
    passkeys?: boolean;
    /** Whether a code can be mailed instead of using the password. */
    mailsCodes?: boolean;
    /** The work the browser has to do for a code, or for a password too, if any. */
    work?: SignInWork | null;
    providers?: readonly ProviderButton[];
    /** Tells the browser that it offered a passkey that no user here has. */
    unknownPasskey?: ReactNode;
    app?: FacedApp;
    /** Cancels with `access_denied`. */
    cancelHref?: string;
    /** The recovery page, if available. */
    recoverHref?: string;
    /** The registration page, if available. */
    registerHref?: string;
    /** The previous input, or `login_hint`. */
    username?: string;
    /** The chosen account, if the request lets people choose. */
    chosenAccount?: AccountToShow;
    /** Why the user is here again, such as after signing out or changing the password. */
    notice?: string;
    /** What the existing sign-in lacks for the app. */
    lack?: Lack | null;
    /** Set if the user does not want to stay signed in. */
    brief?: boolean;
  };

const codeAction = '/login/code/send';

/** The sign-in page: username and password, or one of the other ways. */
export function SignInView(props: SignInProps) {
  const { app, chosenAccount, error, fieldErrors = {}, providers = [], locale } = props;
  const text = textIn(locale);
  const words = pageWords('sign-in', locale);
  const refused = Boolean(error || fieldErrors.username || fieldErrors.password);
  const fields = { csrf: props.csrf, flow: props.flow, back: props.back };
  const passwordFirst =
    Boolean(chosenAccount) || (Boolean(props.username) && !fieldErrors.username);
  return (
    <Gate
      title={words.title ?? text('signIn.title')}
      refused={refused}
      host={props.host}
      accent={app?.accent}
      locale={locale}
    >
      <SignInHead app={app} title={words.title} locale={locale} />
      <OwnWords words={words.lead} />
      <AppLine app={app} locale={locale} />
      {props.unknownPasskey}
      <form method="post" action="/login/submit" className="grid gap-4">
        <Hidden fields={fields} />
        {props.notice && !error && (
          <Notice kind="info" locale={locale}>
            {againFor(props) ?? props.notice}
          </Notice>
        )}
        {error && (
          <Notice kind="error" id="form-error" locale={locale}>
            {error}
          </Notice>
        )}
        {chosenAccount ? (
          <ChosenAccount chosenAccount={chosenAccount} locale={locale} />
        ) : (
          <UsernameField {...props} focused={!passwordFirst} />
        )}
        <PasswordField
          name="password"
          label={text('signIn.password')}
          error={fieldErrors.password}
          autoComplete="current-password"
          autoFocus={passwordFirst}
          locale={locale}
        />
        {/* Always sent, because a form without this field keeps its user signed in. */}
        <input type="hidden" name="stay" value="off" />
        <Checkbox
          name="stay"
          value="on"
          label={text('signIn.stay')}
          hint={text('signIn.stayHint')}
          defaultChecked={!props.brief}
        />
        <Button wide className="mt-2">
          {text('signIn.submit')}
        </Button>
        {props.mailsCodes && (
          <Button wide kind="secondary" formAction={codeAction} formNoValidate>
            {text('mailCode.send')}
          </Button>
        )}
        {props.work && (
          <WorkField
            work={props.work.work}
            only={props.work.forCode ? codeAction : undefined}
            noScript={text('signIn.workNoScript')}
            locale={locale}
          />
        )}
      </form>
      <ProviderButtons buttons={providers} locale={locale} />
      {props.passkeys && (
        <PasskeyButton
          action="/login/passkey/submit"
          use="sign-in"
          fields={fields}
          words={passkeyWords('passkey.signIn', locale)}
          suggest
          above={
            providers.length > 0 ? <div className="h-3" /> : <Divider text={text('passkey.or')} />
          }
          kind="secondary"
          wide
        />
      )}
      {props.recoverHref && (
        <p className="mt-4 text-center text-sm">
          <a className="gh-link inline-block py-1" href={props.recoverHref}>
            {text('recover.link')}
          </a>
        </p>
      )}
      {props.registerHref && (
        <p className="mt-2 text-center text-sm text-ink-soft">
          {text('register.or')}{' '}
          <a className="gh-link inline-block py-1" href={props.registerHref}>
            {text('register.link')}
          </a>
        </p>
      )}
      {props.cancelHref && (
        <p className="mt-2 text-center text-sm">
          <a className="gh-link inline-block py-1" href={props.cancelHref}>
            {app && !isLong(app)
              ? rich('signIn.cancel', { app: <UserText text={app.name} /> }, locale)
              : text('signIn.cancelPlain')}
          </a>
        </p>
      )}
      <OwnWords words={words.help} />
    </Gate>
  );
}

function UsernameField(props: SignInProps & { focused: boolean }) {
  const label = textIn(props.locale)('signIn.username');
  return (
    <Field name="username" label={label} error={props.fieldErrors?.username}>
      {(control) => (
        <Input
          {...control}
          required
          defaultValue={props.username}
          autoComplete={props.passkeys ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={320}
          autoFocus={props.focused}
        />
      )}
    </Field>
  );
}

/** The sentence that names the app and what it demands. */
function againFor({ app, lack, locale }: SignInProps): ReactNode {
  if (!app || !lack) return undefined;
  const key = lack === 'second-factor' ? 'signIn.againFactor' : 'signIn.againOld';
  return rich(key, { app: <UserText text={app.name} /> }, locale);
}

const isLong = ({ name }: FacedApp) => name.length > 40;

export function SignInHead({
  app,
  locale,
  title = textIn(locale)('signIn.title'),
  heading: Title = 'h1',
}: Pick<SignInProps, 'app' | 'locale'> & {
  /** If different from the sign-in page's title. */
  title?: string;
  /** `p` for a sample on another page, where it is not a heading. */
  heading?: 'h1' | 'p';
}) {
  const long = app && isLong(app);
  return (
    <div className={classNames('mb-6 flex gap-4', long ? 'items-start' : 'items-center')}>
      {app && <AppMark id={app.id} name={app.name} image={app.logo} className="size-12 text-xl" />}
      <div className="min-w-0">
        <Title className="gh-title">{title}</Title>
        {app && (
          <p className={classNames('mt-0.5 text-ink-soft', long && 'text-sm')}>
            {rich(
              'signIn.toContinue',
              { app: <UserText className="font-semibold text-ink" text={app.name} /> },
              locale,
            )}
          </p>
        )}
      </div>
    </div>
  );
}
