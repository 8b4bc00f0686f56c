import { type AuditRecord, listAudit } from '#lib/management/audit.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { Card } from '../../../ui/card.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { hrefOf } from '../../ui/pager.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Table } from '../../ui/table.tsx';

/** What happened with it lately. */
export async function EventsCard({ clientId }: { clientId: string }) {
  const { rows } = await listAudit({ clientId, limit: 10 });
  return (
    <Card
      id="events"
      title={words.events}
      text={rows.length > 0 ? undefined : words.eventsNone}
      actions={
        <QuickLink className="gh-link text-sm" href={hrefOf('/admin/audit', { client: clientId })}>
          {words.eventsAll}
        </QuickLink>
      }
    >
      {rows.length > 0 && (
        <Table
          caption={words.eventsCaption}
          columns={[
            { key: 'what', label: words.what },
            { key: 'when', label: words.when },
            { key: 'who', label: words.who },
            { key: 'from', label: words.from },
          ]}
          rows={rows.map((event) => ({ key: event.id, cells: cellsOf(event) }))}
        />
      )}
    </Card>
  );
}

function cellsOf(event: AuditRecord) {
  return {
    what: <code className="text-sm">{event.type}</code>,
    when: <Moment at={event.at} />,
    who: <UserText text={event.actorName ?? event.actor ?? event.username ?? ''} />,
    from: <span className="tabular-nums">{event.address ?? ''}</span>,
  };
}
