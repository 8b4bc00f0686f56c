import { appPasswordDays } from '#app/account/app-passwords/submit.ts';
import type { AppPassword } from '#lib/management/app-password/app-passwords.ts';
import { durationIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyLabel } from '../../ui/copy-label.tsx';
import { Day } from '../../ui/day.tsx';
import { Field } from '../../ui/field.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Input, TextArea } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageScript } from '../../ui/page-script.tsx';
import { rich } from '../../ui/rich.tsx';
import { Select } from '../../ui/select.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused } from '../../ui/view-models.ts';
import { Ago } from '../ui/ago.tsx';

type NewCardProps = {
  csrf: string;
  username: string;
  password: string;
  name: string;
  app: string;
  locale: Locale;
};

/** A new app password: only now, because it is not stored. */
export function NewCard({ csrf, username, password, name, app, locale }: NewCardProps) {
  const text = textIn(locale);
  return (
    <Card title={text('appPasswords.newTitle')}>
      <p className="-mt-4 mb-4 text-ink-soft">
        {rich(
          'appPasswords.newText',
          {
            name: <UserText className="font-semibold text-ink" text={name} />,
            app: <UserText className="font-semibold text-ink" text={app} />,
            username: <UserText className="font-semibold text-ink" text={username} />,
          },
          locale,
        )}
      </p>
      <div className="grid gap-3 rounded-xl border border-line bg-sunken p-4">
        <code dir="ltr" className="text-lg font-semibold wrap-anywhere select-all">
          {password}
        </code>
        <div>
          <PageScript />
          <Button type="button" kind="secondary" size="small" hidden data-copy={password}>
            <CopyLabel shown={text('appPasswords.copy')} done={text('appPasswords.copied')} />
          </Button>
        </div>
      </div>
      <div className="mt-4">
        <Notice kind="warning" locale={locale}>
          {text('appPasswords.newOnce')}
        </Notice>
      </div>
      <form method="post" action="/account/app-passwords/end" className="mt-5">
        <Hidden fields={{ csrf }} />
        <Button>{text('appPasswords.newDone')}</Button>
      </form>
    </Card>
  );
}

type ListProps = { csrf: string; passwords: readonly AppPassword[]; now: Date; locale: Locale };

/** A person's app passwords, each with a button that ends it. */
export function AppPasswordList({ csrf, passwords, now, locale }: ListProps) {
  const text = textIn(locale);
  return (
    <Card title={text('appPasswords.title')}>
      <ul className="divide-y divide-line">
        {passwords.map((password) => (
          <li
            key={password.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold wrap-anywhere">
                <UserText text={password.name} />
              </p>
              <p className="text-sm wrap-anywhere text-ink-soft">
                <UserText text={password.clientName} />
                {' · '}
                <End of={password} now={now} locale={locale} />
                {' · '}
                {password.lastUsedAt === null
                  ? text('appPasswords.unused')
                  : rich(
                      'remembered.used',
                      { date: <Ago at={password.lastUsedAt.toISOString()} locale={locale} /> },
                      locale,
                    )}
                {password.networks.length > 0 &&
                  ` · ${text('appPasswords.from', { networks: password.networks.join(', ') })}`}
              </p>
            </div>
            <form method="post" action="/account/app-passwords/end">
              <Hidden fields={{ csrf, id: password.id }} />
              <Button
                kind="secondary"
                size="small"
                aria-label={text('appPasswords.endLabel', { name: password.name })}
              >
                {text('appPasswords.end')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function End({ of, now, locale }: { of: AppPassword; now: Date; locale: Locale }) {
  if (of.expiresAt === null) return textIn(locale)('appPasswords.noEnd');
  const key = of.expiresAt > now ? 'apps.until' : 'appPasswords.over';
  return rich(key, { date: <Day at={of.expiresAt.toISOString()} locale={locale} /> }, locale);
}

type MakeProps = Refused<'name' | 'networks'> & {
  csrf: string;
  apps: readonly { id: string; name: string }[];
  typed: Readonly<Record<string, string | undefined>>;
  asking: PageAsking | null;
  locale: Locale;
};

/** The form that makes one, for an app that takes them. */
export function MakeCard({ csrf, apps, typed, asking, fieldErrors = {}, locale }: MakeProps) {
  const text = textIn(locale);
  if (apps.length === 0)
    return (
      <Notice kind="info" locale={locale}>
        {text('appPasswords.noApps')}
      </Notice>
    );
  const lives = appPasswordDays.map((days) => ({
    value: String(days),
    label: durationIn(locale, days * 86_400),
  }));
  return (
    <Card id="make" title={text('appPasswords.make')}>
      <FreshForm
        id="make"
        action="/account/app-passwords/submit"
        fields={{ csrf }}
        asking={asking}
        submit={<Button>{text('appPasswords.make')}</Button>}
        locale={locale}
      >
        <Field name="client" label={text('appPasswords.app')}>
          {(control) => (
            <Select
              {...control}
              defaultValue={typed.client}
              options={apps.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Field>
        <Field
          name="name"
          label={text('security.passkeyName')}
          hint={text('appPasswords.nameHint')}
          error={fieldErrors.name}
        >
          {(control) => (
            <Input
              {...control}
              required
              defaultValue={typed.name}
              maxLength={60}
              autoComplete="off"
            />
          )}
        </Field>
        <Field name="days" label={text('consent.period')}>
          {(control) => (
            <Select
              {...control}
              defaultValue={typed.days}
              options={[{ value: '', label: text('appPasswords.noEnd') }, ...lives]}
            />
          )}
        </Field>
        <Field
          name="networks"
          label={text('appPasswords.networks')}
          hint={text('appPasswords.networksHint')}
          error={fieldErrors.networks}
          optional={text('field.optional')}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              dir="ltr"
              spellCheck={false}
              defaultValue={typed.networks}
              maxLength={5000}
            />
          )}
        </Field>
      </FreshForm>
    </Card>
  );
}
