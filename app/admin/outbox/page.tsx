import { notFound, redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { hasOutbox, readOutbox } from '#lib/identity/mail/outbox.ts';
import { subjectOf, writeText } from '#lib/identity/mail/write.ts';
import { readSession } from '#lib/identity/session.ts';
import { OutboxView } from '../../ui/views/outbox.tsx';

/** What would have been mailed, for whoever develops. */
export default async function OutboxPage() {
  const now = new Date();
  const { session } = await readSession(await pageRequest(), now);
  if (!session) redirect('/login');
  if (!session.user.isAdmin) notFound();
  const mails = (await readOutbox(now)).map(({ id, shownAt, sheet }) => ({
    id,
    shownAt: shownAt.toISOString(),
    to: sheet.to,
    subject: subjectOf(sheet),
    text: writeText(sheet),
    action: sheet.action,
  }));
  return <OutboxView host={issuerHost()} open={hasOutbox()} mails={mails} />;
}
