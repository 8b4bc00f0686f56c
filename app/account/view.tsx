import type { Locale } from '#lib/messages/locales.ts';
import { type MessageKey, textIn } from '#lib/messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Icon, type IconName } from '../ui/line-icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import type { Refused } from '../ui/view-models.ts';

export type HomeProps = Refused<'current_password' | 'new_password'> & {
  csrf: string;
  username: string;
  /** The names of connected apps, in a few words. */
  apps: string;
  endAppTokens?: boolean;
  passwordLength: number;
  locale: Locale;
};

const sections = [
  ['/account/apps', 'plug', 'home.apps', null],
  ['/account/profile', 'person', 'profile.title', 'home.profileText'],
  ['/account/sessions', 'device', 'sessions.title', 'home.sessionsText'],
  ['/account/security', 'shield', 'security.link', 'security.linkText'],
  ['/account/mail', 'envelope', 'emailChange.title', 'emailChange.lead'],
] as const satisfies (readonly [string, IconName, MessageKey, MessageKey | null])[];

/** The account's start page. */
export function HomeView(props: HomeProps) {
  const text = textIn(props.locale);
  return (
    <>
      <ul className="grid gap-3 sm:grid-cols-2">
        {sections.map(([href, icon, title, lead]) => (
          <li
            key={href}
            className="relative flex gap-3 rounded-2xl border border-line bg-surface p-4 hover:border-line-strong"
          >
            <Icon name={icon} className="mt-0.5 size-5 text-accent" />
            <div className="min-w-0">
              <h2 className="font-semibold">
                <a
                  href={href}
                  className="after:absolute after:inset-0 after:rounded-2xl hover:underline"
                >
                  {text(title)}
                </a>
              </h2>
              <p className="text-sm break-words text-ink-soft">
                {lead === null ? props.apps : text(lead)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <PasswordCard {...props} />
    </>
  );
}

function PasswordCard({
  csrf,
  username,
  error,
  fieldErrors = {},
  endAppTokens,
  passwordLength,
  locale,
}: HomeProps) {
  const text = textIn(locale);
  return (
    <Card id="password" title={text('home.password')} text={text('home.passwordText')}>
      <form method="post" action="/account/password/submit" className="grid max-w-md gap-4">
        <Hidden fields={{ csrf }} />
        {/* Password managers learn from it whose password this is. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          defaultValue={username}
          hidden
          readOnly
        />
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
