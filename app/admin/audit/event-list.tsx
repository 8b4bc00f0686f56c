import { Fragment, type ReactNode } from 'react';
import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import { auditSentence, auditWords as words } from '#lib/messages/admin/audit.ts';
import { piecesOf } from '#lib/messages/admin/pieces.ts';
import { Moment } from '../../ui/moment.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { EventDetail } from './event-detail.tsx';

/** Events as sentences, each with its details. */
export function EventList({ events }: { events: readonly AuditRecord[] }) {
  return (
    <Table
      caption={words.list}
      columns={[
        { key: 'what', label: words.columnWhat },
        { key: 'when', label: words.columnWhen },
        { key: 'where', label: words.columnWhere },
      ]}
      rows={events.map((event) => ({ key: event.id, cells: cellsOf(event) }))}
    />
  );
}

function cellsOf(event: AuditRecord) {
  return {
    what: (
      <>
        <span>{eventSentence(event)}</span>
        <EventDetail event={event} />
      </>
    ),
    when: <Moment at={event.at} />,
    where: <span className="whitespace-nowrap tabular-nums">{event.address ?? '–'}</span>,
  };
}

function eventSentence(event: AuditRecord): ReactNode {
  const holes: Record<string, ReactNode> = {
    who: <Who id={event.actor} name={event.actorName} />,
    person: personOf(event),
    client: clientOf(event),
    name: <UserText className="font-semibold" text={String(event.detail.name ?? '')} />,
  };
  return piecesOf(auditSentence(event)).map((piece) =>
    'hole' in piece ? <Fragment key={piece.hole}>{holes[piece.hole]}</Fragment> : piece.text,
  );
}

/** A deleted user goes by the name in the event, else by id. */
function personOf({ type, userId, username, detail }: AuditRecord): ReactNode {
  if (userId === null) return type === 'consent.withdrawn' ? words.everybody : words.noPerson;
  const name = username ?? (typeof detail.username === 'string' ? detail.username : userId);
  return <Name text={name} href={username === null ? undefined : `/admin/people/${userId}`} />;
}

function clientOf({ type, clientId, clientName, detail }: AuditRecord): ReactNode {
  if (clientId === null) return type === 'consent.withdrawn' ? words.allClients : words.noClient;
  const name = clientName ?? (typeof detail.name === 'string' ? detail.name : clientId);
  return <Name text={name} href={clientName === null ? undefined : clientPage(clientId)} />;
}

function Who({ id, name }: { id: string | null; name: string | null }) {
  if (name !== null) return <Name text={name} href={`/admin/people/${id}`} />;
  if (id === 'cli') return words.cli;
  if (id === 'file') return words.file;
  if (id === 'system') return words.system;
  if (id?.startsWith('key:'))
    return (
      <>
        {words.key} <Name text={id.slice('key:'.length)} />
      </>
    );
  return id === null ? words.somebody : <Name text={id} />;
}

function Name({ text, href }: { text: string; href?: string }) {
  const name = <UserText className="font-semibold" text={text} />;
  return href ? (
    <QuickLink className="gh-link" href={href}>
      {name}
    </QuickLink>
  ) : (
    name
  );
}
