import { hasOutbox, readOutbox } from '#lib/mail/outbox.ts';
import { subjectLineOf, writeText } from '#lib/mail/write.ts';
import { formatsOf } from '#lib/messages/formats.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AdminPage } from '../ui/admin-page.tsx';

type ShownMail = Awaited<ReturnType<typeof readOutbox>>[number];

/** The mails that would have been sent, for development. */
export default async function OutboxPage() {
  await guardPage('/admin/outbox');
  const text = await pageText();
  const mails = await readOutbox(new Date());
  const open = hasOutbox();
  return (
    <AdminPage title={text('outbox.title')} text={open ? text('outbox.lead') : undefined}>
      {mails.length === 0 ? (
        <EmptyState
          icon="envelope"
          title={open ? text('outbox.none') : text('outbox.off')}
          text={open ? text('outbox.noneText') : text('outbox.offText')}
        />
      ) : (
        <div className="grid gap-6">
          {mails.map((mail) => (
            <Mail key={mail.id} mail={mail} />
          ))}
        </div>
      )}
    </AdminPage>
  );
}

async function Mail({ mail: { id, shownAt, sheet } }: { mail: ShownMail }) {
  const text = await pageText();
  const style = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const at = new Intl.DateTimeFormat(formatsOf(text.locale), style).format(shownAt);
  return (
    <Card id={`mail-${id}`} title={<UserText text={subjectLineOf(sheet)} />}>
      <p className="-mt-4 mb-4 text-sm text-ink-soft">
        {text('outbox.to')} <UserText className="font-semibold text-ink" text={sheet.to} />
        {' · '}
        <time dateTime={shownAt.toISOString()}>{at}</time>
      </p>
      <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {writeText(sheet)}
      </pre>
      {sheet.action && (
        <ButtonLink href={sheet.action.href} kind="secondary" size="small" className="mt-4">
          {sheet.action.label}
        </ButtonLink>
      )}
    </Card>
  );
}
