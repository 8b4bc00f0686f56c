import { showAudit } from '#lib/management/audit-event/audit.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { When } from '../../../ui/when.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { EventDetail } from '../event-detail.tsx';
import { eventSentence } from '../event-list.tsx';

type Props = { params: Promise<{ eventId: string }> };

/** One event of the audit log, with its details. */
export default async function EventPage({ params }: Props) {
  await guardPage('/admin/audit/[eventId]');
  const text = await pageText();
  const event = await orNotFound(showAudit((await params).eventId));
  return (
    <AdminPage
      title={text('audit.one')}
      text={<When locale={text.locale} at={event.at} />}
      up="/admin/audit"
    >
      <p className="text-lg wrap-anywhere">{eventSentence(text, event)}</p>
      <EventDetail event={event} text={text} />
    </AdminPage>
  );
}
