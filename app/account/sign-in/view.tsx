import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink, lookOf } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused } from '../../ui/view-models.ts';

type SignInWaysProps = {
  email: string;
  emailVerified: boolean;
  username: string;
  passkeys: number;
  hasApp: boolean;
  hasPassword: boolean;
  /** The number of live sessions. */
  devices: number;
  /** The forms of the rows that are changed in place; null if they cannot be changed here. */
  usernameForm: Unfolding | null;
  passwordForm: Unfolding | null;
  locale: Locale;
};

/** A form that a row unfolds to; `open` while it has something to say. */
type Unfolding = { open: boolean; form: ReactNode };

/** Every way to sign in, with its present state and one action. */
export function SignInWays(props: SignInWaysProps) {
  const { locale, passkeys, hasApp } = props;
  const text = textIn(locale);
  const steps = [
    ...(hasApp ? [text('security.app')] : []),
    ...(passkeys > 0 ? [text('security.passkeys')] : []),
  ];
  return (
    <Card>
      <ul className="divide-y divide-line">
        <Way
          icon="envelope"
          label={text('emailChange.title')}
          href="/account/mail"
          action={text(props.emailVerified ? 'ways.change' : 'ways.confirm')}
        >
          <UserText text={props.email} />{' '}
          {!props.emailVerified && <Badge tone="warning">{text('ways.unverified')}</Badge>}
        </Way>
        <Way
          icon="at"
          label={text('username.title')}
          unfolding={props.usernameForm}
          action={text('ways.change')}
        >
          <UserText text={props.username} />
          {!props.usernameForm && ` · ${text('username.off')}`}
        </Way>
        <Way
          icon="lock"
          label={text('signIn.password')}
          unfolding={props.passwordForm}
          action={text(props.hasPassword ? 'ways.change' : 'ways.passwordSet')}
        >
          {text(
            !props.passwordForm
              ? 'ways.passwordElsewhere'
              : props.hasPassword
                ? 'ways.passwordText'
                : 'ways.passkeysNone',
          )}
        </Way>
        <Way
          icon="key"
          label={text('security.passkeys')}
          href="/account/security#passkeys"
          action={text('apps.details')}
        >
          {passkeys > 0 ? text('ways.passkeys', { count: passkeys }) : text('ways.passkeysNone')}
        </Way>
        <Way
          icon="shield"
          label={text('ways.secondStep')}
          href="/account/security#app"
          action={text('apps.details')}
        >
          {steps.length > 0 ? steps.join(' · ') : text('ways.secondStepNone')}
        </Way>
        <Way
          icon="device"
          label={text('ways.devices')}
          href="/account/sessions"
          action={text('apps.details')}
        >
          {text('ways.devicesCount', { count: props.devices })}
        </Way>
        <Way
          icon="phoneWindow"
          label={text('appPasswords.title')}
          href="/account/app-passwords"
          action={text('apps.details')}
        >
          {text('appPasswords.lead')}
        </Way>
      </ul>
    </Card>
  );
}

type WayProps = {
  icon: IconName;
  label: string;
  action: string;
  children: ReactNode;
} & ({ href: string } | { unfolding: Unfolding | null });

function Way({ icon, label, action, children, ...to }: WayProps) {
  const row = 'flex items-center gap-x-4';
  const what = (
    <>
      <Icon name={icon} className="size-5 text-accent" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{label}</h2>
        <p className="text-sm wrap-anywhere text-ink-soft">{children}</p>
      </div>
    </>
  );
  if ('href' in to || !to.unfolding)
    return (
      <li className={`${row} py-4 first:pt-0 last:pb-0`}>
        {what}
        {'href' in to && (
          <ButtonLink
            kind="secondary"
            size="small"
            href={to.href}
            aria-label={`${action}: ${label}`}
          >
            {action}
          </ButtonLink>
        )}
      </li>
    );
  return (
    <li className="py-4">
      <details open={to.unfolding.open}>
        <summary className={`${row} cursor-pointer`}>
          {what}
          <span className={lookOf({ kind: 'secondary', size: 'small' })}>{action}</span>
        </summary>
        <div className="mt-4 sm:ms-9">{to.unfolding.form}</div>
      </details>
    </li>
  );
}

type PasswordCardProps = Refused<'new_password'> & {
  csrf: string;
  endAppTokens?: boolean;
  passwordLength: number;
  /** How the form asks for the current password and more. */
  asking: PageAsking | null;
  /** The user has none yet. */
  isFirst: boolean;
  locale: Locale;
};

export function PasswordCard({
  csrf,
  fieldErrors = {},
  endAppTokens,
  passwordLength,
  asking,
  isFirst,
  locale,
}: PasswordCardProps) {
  const text = textIn(locale);
  return (
    <section id="password" aria-label={text(isFirst ? 'ways.passwordSet' : 'home.password')}>
      <p className="mb-4 text-ink-soft">{text('home.passwordText')}</p>
      <FreshForm
        id="password"
        action="/account/password/submit"
        fields={{ csrf }}
        asking={asking}
        submit={<Button>{text(isFirst ? 'ways.passwordSet' : 'home.passwordSubmit')}</Button>}
        locale={locale}
      >
        <NewPasswordField
          name="new_password"
          label={text('home.newPassword')}
          error={fieldErrors.new_password}
          length={passwordLength}
          autoFocus={Boolean(fieldErrors.new_password)}
          locale={locale}
        />
        <Checkbox
          name="end_app_tokens"
          value="on"
          defaultChecked={endAppTokens}
          label={text('home.endAppTokens')}
          hint={text('home.endAppTokensHint')}
        />
      </FreshForm>
    </section>
  );
}
