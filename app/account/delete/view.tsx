import type { ReactNode } from 'react';
import { periodIn } from '#lib/messages/format.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.tsx';

type DeleteProps = {
  csrf: string;
  /** Days until the account is deleted; 0 for immediately. */
  days: number;
  /** Days for which the audit log is kept; 0 for ever. */
  auditDays: number;
  asking: PageAsking | null;
  /** Whether the box was ticked. */
  sure: boolean;
  locale: Locale;
};

const daysIn = (locale: Locale, days: number) => periodIn(locale, days * 24 * 3600);

/** What is deleted, what is kept, and when; and the form. */
export function DeleteView({ csrf, days, auditDays, asking, sure, locale }: DeleteProps) {
  const text = textIn(locale);
  const kept = auditDays > 0 ? daysIn(locale, auditDays) : null;
  return (
    <>
      <Card>
        <div className="grid gap-6">
          <Part icon="alert" title={text('deletion.goes')}>
            {lines(locale, ['deletion.goesProfile', 'deletion.goesSignIn', 'deletion.goesApps'])}
          </Part>
          <Part icon="book" title={text('deletion.stays')}>
            <li>{kept ? text('deletion.staysLog', { time: kept }) : text('deletion.staysEver')}</li>
            {lines(locale, ['deletion.staysName', 'deletion.staysApps', 'deletion.staysBackups'])}
          </Part>
          <Part icon="clock" title={text('deletion.when')}>
            {days > 0 ? (
              <>
                <li>{text('deletion.whenLater', { time: daysIn(locale, days) })}</li>
                <li>{text('deletion.whenNow')}</li>
              </>
            ) : (
              <li>{text('deletion.whenAtOnce')}</li>
            )}
          </Part>
        </div>
      </Card>
      <Card id="delete" title={text('deletion.form')}>
        <p className="-mt-3 mb-5">
          <a className="gh-link" href="/account/your-data">
            {text('deletion.copyFirst')}
          </a>
        </p>
        <FreshForm
          id="delete"
          action="/account/delete/submit"
          fields={{ csrf }}
          asking={asking}
          submit={<Button kind="danger">{text('deletion.submit')}</Button>}
          locale={locale}
        >
          <Checkbox
            name="sure"
            value="on"
            required
            defaultChecked={sure}
            label={text(days > 0 ? 'deletion.sure' : 'deletion.sureAtOnce')}
          />
        </FreshForm>
      </Card>
    </>
  );
}

const lines = (locale: Locale, keys: readonly PlainKey[]) =>
  keys.map((key) => <li key={key}>{textIn(locale)(key)}</li>);

type PlainKey = Extract<
  MessageKey,
  `deletion.goes${'Profile' | 'SignIn' | 'Apps'}` | `deletion.stays${'Name' | 'Apps' | 'Backups'}`
>;

function Part({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <section className="flex gap-4">
      <Icon name={icon} className="mt-0.5 size-5 text-accent" />
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        <ul className="mt-1 grid list-disc gap-1 ps-5 text-ink-soft">{children}</ul>
      </div>
    </section>
  );
}

type WaitsProps = { csrf: string; due: Date; locale: Locale };

/** Says when the account will be deleted, and how to keep it. */
export function DeletionWaits({ csrf, due, locale }: WaitsProps) {
  const text = textIn(locale);
  return (
    <Notice
      kind="warning"
      title={rich('deletion.waitsTitle', { date: <LocalTime at={due} locale={locale} /> }, locale)}
      locale={locale}
    >
      {text('deletion.waitsText')}
      <form method="post" action="/account/delete/keep" className="mt-3">
        <Hidden fields={{ csrf }} />
        <Button size="small">{text('deletion.keep')}</Button>
      </form>
    </Notice>
  );
}

/** Shown if only admins may delete accounts. */
export function DeletionOff({ locale }: { locale: Locale }) {
  return (
    <Notice kind="info" locale={locale}>
      {textIn(locale)('deletion.offText')}
    </Notice>
  );
}
