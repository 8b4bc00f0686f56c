import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { UserText } from '../../ui/user-text.tsx';

type UsernameCardProps = {
  csrf: string;
  value: string;
  error?: string;
  /** The current name breaks the rules. */
  unfit?: boolean;
  /** Only admins may change usernames on this server. */
  fixed?: boolean;
  /** How the form asks for a fresh sign-in; null if it is fresh. */
  asking: PageAsking | null;
  locale: Locale;
};

export function UsernameCard({
  csrf,
  value,
  error,
  unfit,
  fixed,
  asking,
  locale,
}: UsernameCardProps) {
  const text = textIn(locale);
  if (fixed)
    return (
      <Card id="username-card" title={text('username.title')} text={text('username.off')}>
        <p className="font-semibold">
          <UserText text={value} />
        </p>
      </Card>
    );
  return (
    <Card id="username-card" title={text('username.title')} text={text('username.text')}>
      <div className="grid gap-4">
        {unfit && (
          <Notice kind="warning" locale={locale}>
            {text('username.unfit')}
          </Notice>
        )}
        <FreshForm
          id="username-form"
          action="/account/username/submit"
          fields={{ csrf }}
          asking={asking}
          submit={<Button kind="secondary">{text('username.submit')}</Button>}
          locale={locale}
        >
          <Field name="username" label={text('username.label')} error={error}>
            {(control) => (
              <Input
                {...control}
                required
                defaultValue={value}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={64}
                autoFocus={Boolean(error)}
              />
            )}
          </Field>
        </FreshForm>
      </div>
    </Card>
  );
}
