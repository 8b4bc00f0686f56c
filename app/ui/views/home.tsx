import { textIn } from '#lib/messages/text.ts';
import { Button, ButtonLink } from '../button.tsx';
import { Card } from '../card.tsx';
import { Checkbox } from '../checkbox.tsx';
import { ConnectedApp, type ConnectedAppFace } from '../connected-app.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Given } from '../given.tsx';
import { Hidden } from '../hidden.tsx';
import { Notice } from '../notice.tsx';
import { PageHeader } from '../page-header.tsx';
import { PasswordField } from '../password-field.tsx';
import { rich } from '../rich.tsx';
import { Shell } from '../shell.tsx';
import type { AccountFace, Refused, ScreenProps } from './types.ts';

export type HomeProps = ScreenProps & {
  csrf: string;
  account: AccountFace;
  apps: readonly ConnectedAppFace[];
  /** This page's own address. */
  homeHref: string;
  signOutHref: string;
  /** Where and about what the person is written to. */
  mailHref?: string;
  /** For admins, once there is a dashboard. */
  adminHref?: string;
  /** What was just done. */
  done?: string;
  /** What was refused outside the password form. */
  error?: string;
  password?: Refused<'current_password' | 'new_password'> & { endAppTokens?: boolean };
  passwordLength: number;
};

/** The signed-in home: apps with access, and the password. */
export function HomeView(props: HomeProps) {
  const { account, apps, csrf, password = {}, locale } = props;
  const text = textIn(locale);
  const refused = Boolean(props.error || password.error || Object.values(password.fieldErrors ?? {}).some(Boolean));
  return (
    <Shell
      title={text('home.title')}
      refused={refused}
      locale={locale}
      nav={[
        { href: props.homeHref, label: text('nav.home'), current: true },
        ...(props.mailHref ? [{ href: props.mailHref, label: text('emailChange.title') }] : []),
        ...(props.adminHref ? [{ href: props.adminHref, label: text('nav.admin') }] : []),
      ]}
      account={
        <ButtonLink href={props.signOutHref} kind="secondary" size="small">
          {text('nav.signOut')}
        </ButtonLink>
      }
    >
      <PageHeader
        title={rich('home.hello', { name: <Given text={account.name || account.username} /> }, locale)}
        text={<Given text={account.email} />}
      />
      <div className="grid gap-6">
        {props.done && (
          <Notice kind="success" locale={locale}>
            {props.done}
          </Notice>
        )}
        {props.error && (
          <Notice kind="error" locale={locale}>
            {props.error}
          </Notice>
        )}
        <Card id="apps" title={text('home.apps')} text={apps.length > 0 ? text('home.appsText') : undefined}>
          {apps.length === 0 ? (
            <EmptyState title={text('home.appsNone')} text={text('home.appsNoneText')} />
          ) : (
            <ul className="divide-y divide-line">
              {apps.map((app) => (
                <ConnectedApp key={app.clientId} app={app} csrf={csrf} locale={locale} />
              ))}
            </ul>
          )}
        </Card>
        <Card
          id="security"
          title={text('security.link')}
          text={text('security.linkText')}
          actions={
            <ButtonLink href="/account/security" kind="secondary" size="small">
              {text('security.manage')}
            </ButtonLink>
          }
        />
        <PasswordCard {...props} />
      </div>
    </Shell>
  );
}

function PasswordCard({ account, csrf, password = {}, passwordLength, locale }: HomeProps) {
  const text = textIn(locale);
  const { error, fieldErrors = {}, endAppTokens } = password;
  return (
    <Card id="password" title={text('home.password')} text={text('home.passwordText')}>
      <form method="post" action="/account/password/submit" className="grid max-w-md gap-4">
        <Hidden fields={{ csrf }} />
        {/* Password managers learn from it whose password this is. */}
        <input type="text" name="username" autoComplete="username" defaultValue={account.username} hidden readOnly />
        {error && (
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        )}
        <PasswordField
          name="current_password"
          label={text('home.currentPassword')}
          error={fieldErrors.current_password}
          autoComplete="current-password"
          autoFocus={Boolean(fieldErrors.current_password)}
          locale={locale}
        />
        <PasswordField
          name="new_password"
          label={text('home.newPassword')}
          error={fieldErrors.new_password}
          hint={text('setup.passwordHint', { length: String(passwordLength) })}
          autoComplete="new-password"
          autoFocus={Boolean(fieldErrors.new_password && !fieldErrors.current_password)}
          locale={locale}
        />
        <Checkbox
          name="end_app_tokens"
          value="on"
          defaultChecked={endAppTokens}
          label={text('home.endAppTokens')}
          hint={text('home.endAppTokensHint')}
        />
        <div>
          <Button>{text('home.passwordSubmit')}</Button>
        </div>
      </form>
    </Card>
  );
}
