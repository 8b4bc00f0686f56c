import { textIn } from '#lib/messages/text.ts';
import type { AppPage } from '#lib/store/app-page.ts';
import { Gate } from '../../ui/gate.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { passkeyWords } from '../../ui/passkey-words.ts';
import { rich } from '../../ui/rich.tsx';
import { TotpSetUp } from '../../ui/totp-set-up.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';

type EnrolProps = ScreenProps &
  Refused<'code'> & {
    csrf: string;
    flow?: string;
    back?: string;
    app?: Pick<AppPage, 'name'>;
    /** The app requires a second factor, not the server. */
    askedByApp?: boolean;
    passkeys: boolean;
    enrolment: string;
    qr: string;
    uri: string;
    secret: string;
    cancelHref?: string;
  };

const action = '/login/enrol/submit';

/** Sets up a required second factor, after the password. */
export function EnrolView(props: EnrolProps) {
  const { app, error, fieldErrors = {}, locale } = props;
  const text = textIn(locale);
  const fields = { csrf: props.csrf, flow: props.flow, back: props.back };
  return (
    <Gate
      title={text('enrol.title')}
      refused={Boolean(error || fieldErrors.code)}
      host={props.host}
      locale={locale}
    >
      <h1 className="gh-title">{text('enrol.title')}</h1>
      <p className="mt-1 text-ink-soft">
        {app && props.askedByApp
          ? rich('enrol.leadApp', { app: <UserText text={app.name} /> }, locale)
          : text('enrol.lead')}
      </p>
      {error && (
        <div className="mt-4">
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        </div>
      )}
      {props.passkeys && (
        <section className="mt-6 border-t border-line pt-5" aria-labelledby="with-passkey">
          <h2 id="with-passkey" className="font-semibold">
            {text('enrol.passkey')}
          </h2>
          <p className="mt-1 mb-4 text-sm text-ink-soft">{text('enrol.passkeyText')}</p>
          <PasskeyButton
            action={action}
            use="add"
            fields={fields}
            words={passkeyWords('enrol.passkeyAdd', locale)}
            wide
          />
          <noscript>
            <p className="text-sm text-ink-soft">{text('passkey.needsScript')}</p>
          </noscript>
        </section>
      )}
      <section className="mt-6 border-t border-line pt-5" aria-labelledby="with-app">
        <h2 id="with-app" className="mb-3 font-semibold">
          {text('enrol.app')}
        </h2>
        <TotpSetUp
          action={action}
          fields={{ ...fields, enrolment: props.enrolment }}
          qr={props.qr}
          uri={props.uri}
          secret={props.secret}
          error={fieldErrors.code}
          locale={locale}
        />
      </section>
      {props.cancelHref && (
        <p className="mt-5 text-center text-sm">
          <a className="gh-link inline-block py-1" href={props.cancelHref}>
            {text('signIn.cancelPlain')}
          </a>
        </p>
      )}
    </Gate>
  );
}
