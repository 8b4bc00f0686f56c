import { textIn } from '#lib/messages/text.ts';
import { ButtonLink } from '../button.tsx';
import { Card } from '../card.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Given } from '../given.tsx';
import { PageHeader } from '../page-header.tsx';
import { rich } from '../rich.tsx';
import { Shell } from '../shell.tsx';
import type { ScreenProps } from './types.ts';

export type ShownMail = {
  id: string;
  /** ISO time. */
  shownAt: string;
  to: string;
  subject: string;
  text: string;
  action?: { href: string; label: string };
};

export type OutboxProps = ScreenProps & {
  /** Whether mail is shown here at all. */
  open: boolean;
  mails: readonly ShownMail[];
};

/** Mail that was shown instead of sent. */
export function OutboxView({ open, mails, locale }: OutboxProps) {
  const text = textIn(locale);
  return (
    <Shell title={text('outbox.title')} locale={locale}>
      <PageHeader title={text('outbox.title')} text={open ? text('outbox.text') : undefined} />
      {mails.length === 0 ? (
        <EmptyState
          icon="envelope"
          title={text(open ? 'outbox.none' : 'outbox.offTitle')}
          text={text(open ? 'outbox.noneText' : 'outbox.offText')}
        />
      ) : (
        <div className="grid gap-6">
          {mails.map((mail) => (
            <Mail key={mail.id} mail={mail} locale={locale} />
          ))}
        </div>
      )}
    </Shell>
  );
}

function Mail({ mail, locale }: { mail: ShownMail; locale?: string }) {
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(mail.shownAt));
  return (
    <Card id={mail.id} title={<Given text={mail.subject} />}>
      <p className="-mt-4 mb-4 text-sm text-ink-soft">
        {rich('outbox.to', { address: <Given className="font-semibold text-ink" text={mail.to} /> }, locale)}
        {' · '}
        <time dateTime={mail.shownAt}>{at}</time>
      </p>
      <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {mail.text}
      </pre>
      {mail.action && (
        <ButtonLink href={mail.action.href} kind="secondary" size="small" className="mt-4">
          {mail.action.label}
        </ButtonLink>
      )}
    </Card>
  );
}
