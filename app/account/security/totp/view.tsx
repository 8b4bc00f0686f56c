import { formField } from '#lib/interaction/confirm-fields.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../../asking.ts';
import { ConfirmPart } from '../../../ui/confirm-part.tsx';
import { Gate } from '../../../ui/gate.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TotpSetUp } from '../../../ui/totp-set-up.tsx';
import type { Refused, ScreenProps } from '../../../ui/view-models.ts';

type TotpProps = ScreenProps &
  Refused<'code'> & {
    csrf: string;
    enrolment: string;
    qr: string;
    uri: string;
    secret: string;
    /** How the form asks for a fresh sign-in; null if it is fresh. */
    asking: PageAsking | null;
    backHref: string;
  };

export function TotpView({
  csrf,
  enrolment,
  qr,
  uri,
  secret,
  asking,
  error,
  fieldErrors = {},
  backHref,
  host,
  locale,
}: TotpProps) {
  const text = textIn(locale);
  const form = 'totp';
  return (
    <Gate
      title={text('totp.title')}
      refused={Boolean(error || fieldErrors.code || asking?.fault)}
      host={host}
      locale={locale}
    >
      <h1 className="gh-title mb-4!">{text('totp.title')}</h1>
      {error && (
        <div className="mb-4">
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        </div>
      )}
      <TotpSetUp
        action="/account/security/totp/submit"
        fields={{ csrf, enrolment, [formField]: form }}
        confirm={asking && <ConfirmPart form={form} asking={asking} locale={locale} />}
        canSend={!asking || asking.password}
        qr={qr}
        uri={uri}
        secret={secret}
        error={fieldErrors.code}
        locale={locale}
      />
      <p className="mt-5 text-center text-sm">
        <a className="gh-link inline-block py-1" href={backHref}>
          {text('totp.cancel')}
        </a>
      </p>
    </Gate>
  );
}
