import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { passkeyWords } from '../../ui/passkey-words.ts';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';
import { Divider } from '../divider.tsx';

type FactorProps = ScreenProps &
  Refused<'code' | 'recovery_code'> & {
    csrf: string;
    flow?: string;
    back?: string;
    account: string;
    hasApp: boolean;
    hasPasskey: boolean;
    /** All of the user's passkeys belong to another address of this server. */
    isPasskeyElsewhere: boolean;
    hasCodes: boolean;
    /** For how many days this device can be remembered; 0 if it cannot. */
    rememberDays: number;
    startOverHref: string;
  };

const action = '/login/factor/submit';

export function FactorView(props: FactorProps) {
  const { error, fieldErrors = {}, hasApp, hasPasskey, hasCodes, locale } = props;
  const text = textIn(locale);
  const fields = { csrf: props.csrf, flow: props.flow, back: props.back };
  const refused = Boolean(error || fieldErrors.code || fieldErrors.recovery_code);
  return (
    <Gate title={text('factor.title')} refused={refused} host={props.host} locale={locale}>
      <h1 className="gh-title">{text('factor.title')}</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        {rich(
          'factor.lead',
          { account: <UserText className="font-semibold text-ink" text={props.account} /> },
          locale,
        )}
      </p>
      {error && (
        <div className="mb-4">
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        </div>
      )}
      {props.isPasskeyElsewhere && (
        <div className="mb-4">
          <Notice kind="info" locale={locale}>
            {text(elsewhere(props))}
          </Notice>
        </div>
      )}
      {hasPasskey && (
        <>
          <PasskeyButton
            action={action}
            use="factor"
            fields={fields}
            words={passkeyWords('passkey.use', locale)}
            wide
          />
          {!hasApp && (
            <div className="mt-4">
              <Remember days={props.rememberDays} locale={locale} />
            </div>
          )}
          <noscript>
            <p className="text-sm text-ink-soft">{text('passkey.needsScript')}</p>
          </noscript>
        </>
      )}
      {hasPasskey && hasApp && <Divider text={text('passkey.or')} />}
      {hasApp && (
        <form method="post" action={action} className="grid gap-4">
          <Hidden fields={fields} />
          <CodeField
            name="code"
            label={text('factor.code')}
            hint={text('factor.codeHint')}
            error={fieldErrors.code}
            autoFocus={!fieldErrors.recovery_code}
          />
          <Remember days={props.rememberDays} locale={locale} />
          <Button wide kind={hasPasskey ? 'secondary' : 'primary'}>
            {text('factor.submit')}
          </Button>
        </form>
      )}
      {hasCodes ? (
        <Recovery
          fields={fields}
          error={fieldErrors.recovery_code}
          isOnlyWay={!hasApp && !hasPasskey}
          locale={locale}
        />
      ) : (
        (hasApp || hasPasskey) && (
          <p className="mt-5 text-sm text-ink-soft">{text('factor.recoveryLost')}</p>
        )
      )}
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.startOverHref}>
          {text('factor.startOver')}
        </a>
      </p>
    </Gate>
  );
}

/**
 * The box to remember this device. Forms send it with the code; a script sends it with a passkey.
 */
function Remember({ days, locale }: { days: number; locale: Locale }) {
  const text = textIn(locale);
  return days === 0 ? null : (
    <Checkbox
      name="remember"
      value="on"
      label={text('factor.remember', { days })}
      hint={text('factor.rememberHint')}
    />
  );
}

/** What to do instead of using a passkey that cannot work here. */
function elsewhere({ hasApp, hasCodes }: FactorProps) {
  if (hasApp) return 'factor.passkeyElsewhereApp';
  return hasCodes ? 'factor.passkeyElsewhereCode' : 'factor.passkeyElsewhere';
}

type RecoveryProps = {
  fields: Record<string, string | undefined>;
  error: string | undefined;
  isOnlyWay: boolean;
  locale: Locale;
};

function Recovery({ fields, error, isOnlyWay, locale }: RecoveryProps) {
  const text = textIn(locale);
  return (
    <details open={isOnlyWay || Boolean(error)} className="mt-5 border-t border-line pt-4">
      <summary className="cursor-pointer py-1 text-sm font-semibold text-accent">
        {text('factor.recovery')}
      </summary>
      <form method="post" action={action} className="mt-3 grid gap-4">
        <Hidden fields={fields} />
        <Field
          name="recovery_code"
          label={text('factor.recoveryCode')}
          hint={text('factor.recoveryHint')}
          error={error}
        >
          {(control) => (
            <Input
              {...control}
              required
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              maxLength={80}
              autoFocus={Boolean(error)}
              className="font-mono"
            />
          )}
        </Field>
        <Button wide kind="secondary">
          {text('factor.recoverySubmit')}
        </Button>
        <p className="text-sm text-ink-soft">{text('factor.recoveryLost')}</p>
      </form>
    </details>
  );
}
