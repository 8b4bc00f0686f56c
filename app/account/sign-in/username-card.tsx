import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

type UsernameCardProps = {
  csrf: string;
  value: string;
  error?: string;
  /** The current name breaks the rules. */
  unfit?: boolean;
  /** How the form asks for a fresh sign-in; null if it is fresh. */
  asking: PageAsking | null;
  locale: Locale;
};

export function UsernameCard({ csrf, value, error, unfit, asking, locale }: UsernameCardProps) {
  const text = textIn(locale);
  return (
    <section id="username-card" aria-label={text('username.title')} className="grid gap-4">
      <p className="text-ink-soft">{text('username.text')}</p>
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
    </section>
  );
}
