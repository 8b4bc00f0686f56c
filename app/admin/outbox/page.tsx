import { hasOutbox, readOutbox } from '#lib/mail/outbox.ts';
import { subjectOf, writeText } from '#lib/mail/write.ts';
import { outboxWords as words } from '#lib/messages/admin/outbox.ts';
import { requireAdmin } from '../../guards.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AdminPage } from '../ui/admin-page.tsx';

type ShownMail = Awaited<ReturnType<typeof readOutbox>>[number];

/** Mails that would have been sent, for development. */
export default async function OutboxPage() {
  await requireAdmin();
  const mails = await readOutbox(new Date());
  const open = hasOutbox();
  return (
    <AdminPage title={words.title} text={open ? words.lead : undefined}>
      {mails.length === 0 ? (
        <EmptyState
          icon="envelope"
          title={open ? words.none : words.off}
          text={open ? words.noneText : words.offText}
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

function Mail({ mail: { id, shownAt, sheet } }: { mail: ShownMail }) {
  const at = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' }).format(
    shownAt,
  );
  return (
    <Card id={`mail-${id}`} title={<UserText text={subjectOf(sheet)} />}>
      <p className="-mt-4 mb-4 text-sm text-ink-soft">
        {words.to} <UserText className="font-semibold text-ink" text={sheet.to} />
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
