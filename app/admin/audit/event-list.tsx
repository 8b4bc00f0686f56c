import type { ReactNode } from 'react';
import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import { countIn } from '#lib/messages/formats.ts';
import { sayIn, type Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { rich } from '../../ui/rich.tsx';
import { type Column, type Row, Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { clientPage } from '../addresses.ts';
import { hrefOf } from '../ui/href.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { auditSentence } from './audit-sentence.ts';
import { changesIn } from './facts.ts';

/** Events as sentences, each leading to its details. */
export async function EventList({ events }: { events: readonly AuditRecord[] }) {
  const text = await pageText();
  return (
    <Table
      caption={text('audit.list')}
      columns={eventColumns(text)}
      rows={events.map((event) => eventRow(text, event))}
    />
  );
}

export const eventColumns = (text: Text): Column[] => [
  { key: 'what', label: text('audit.columnWhat') },
  { key: 'when', label: text('audit.columnWhen') },
  { key: 'where', label: text('audit.columnWhere') },
  { key: 'more', label: <span className="sr-only">{text('audit.details')}</span> },
];

export function eventRow(text: Text, event: AuditRecord): Row {
  return {
    key: event.id,
    cells: {
      what: <EventLine event={event} text={text} />,
      when: <When locale={text.locale} at={event.at} />,
      where: <span className="whitespace-nowrap tabular-nums">{event.address ?? '–'}</span>,
      more: (
        <QuickLink className="gh-link text-xs" data-sheet href={`/admin/audit/${event.id}`}>
          {text('audit.details')}
        </QuickLink>
      ),
    },
  };
}

const mostChanges = 2;
const longestChange = 80;

/** The sentence of an event, what it changed, and for a bulk action where its events are. */
function EventLine({ event, text }: { event: AuditRecord; text: Text }) {
  const changes = changesIn(text, event);
  const shown = changes.slice(0, mostChanges).map(({ label, change }) => {
    const cut = change.length > longestChange ? `${change.slice(0, longestChange)}…` : change;
    return label ? `${label}: ${cut}` : cut;
  });
  return (
    <span className="wrap-anywhere">
      {eventSentence(text, event)}
      {shown.length > 0 && (
        <span className="block text-sm text-ink-soft">
          <UserText text={shown.join(' · ')} />
          {changes.length > mostChanges && ` · +${changes.length - mostChanges}`}
        </span>
      )}
      {(event.type === 'batch.started' || event.type === 'batch.undone') && event.requestId && (
        <QuickLink
          className="gh-link block w-fit text-sm"
          href={eventsOf(event.requestId, event.at)}
        >
          {text('audit.ofBatch')}
        </QuickLink>
      )}
    </span>
  );
}

/** The events of a bulk action: it ends within days, so that no more than these are searched. */
function eventsOf(request: string, at: Date): string {
  const day = (after: number) => new Date(at.getTime() + after * 86_400_000).toISOString();
  const [from, to] = [day(-1).slice(0, 10), day(7).slice(0, 10)];
  return hrefOf('/admin/audit', { request, from, to });
}

/** An event as a sentence, with links to the people and apps in it. */
export function eventSentence(text: Text, event: AuditRecord): ReactNode {
  const strong = (value: unknown) => (
    <UserText
      className="font-semibold"
      text={typeof value === 'string' && value ? value : text('audit.noPerson')}
    />
  );
  const holes: Record<string, ReactNode> = {
    who: <Who id={event.actor} name={event.actorName} text={text} />,
    person: personOf(text, event),
    client: clientOf(text, event),
    name: <UserText className="font-semibold" text={String(event.detail.name ?? '')} />,
    host: <UserText className="font-semibold" text={String(event.detail.host ?? '')} />,
    provider: <UserText className="font-semibold" text={String(event.detail.provider ?? '')} />,
    email: strong(event.detail.email),
    username: strong(event.detail.username),
    kid: strong(event.detail.kid),
    what: strong(batchIn(text, event.detail)),
  };
  const key = auditSentence(event);
  if (key === null) return event.type;
  return rich(key, holes, text.locale);
}

/** What a bulk action does, to how many. */
function batchIn(text: Text, { operation, group, count }: Record<string, unknown>): string {
  const name = sayIn(text.locale)(`batches.operations.${operation}`) ?? String(operation);
  const what = group ? `${name} (${group})` : name;
  return typeof count === 'number' ? `${what}: ${countIn(text.locale, count)}` : what;
}

/** A deleted user is called by the name in the event, or else by ID. */
function personOf(text: Text, { type, userId, username, detail }: AuditRecord): ReactNode {
  if (userId === null)
    return type === 'consent.withdrawn' ? text('audit.everybody') : text('audit.noPerson');
  const name = username ?? (typeof detail.username === 'string' ? detail.username : userId);
  return <Name text={name} href={username === null ? undefined : `/admin/people/${userId}`} />;
}

function clientOf(text: Text, event: AuditRecord): ReactNode {
  const { type, clientId, clientName, clientAgent, detail } = event;
  if (clientId === null)
    return type === 'consent.withdrawn' ? text('audit.allClients') : text('audit.noClient');
  const name = clientName ?? (typeof detail.name === 'string' ? detail.name : clientId);
  const named = <Name text={name} href={clientName === null ? undefined : clientPage(clientId)} />;
  if (!clientAgent) return named;
  return (
    <>
      {named} <Badge tone="accent">{text('clients.agentBadge')}</Badge>
    </>
  );
}

/** Who did something: a person, a key, the command line. */
export function Who({ id, name, text }: { id: string | null; name: string | null; text: Text }) {
  if (name !== null) return <Name text={name} href={`/admin/people/${id}`} />;
  if (id === 'cli') return text('audit.cli');
  if (id === 'file') return text('audit.file');
  if (id === 'date') return text('audit.date');
  if (id === 'system') return text('audit.system');
  if (id?.startsWith('key:'))
    return (
      <>
        {text('audit.key')} <Name text={id.slice('key:'.length)} />
      </>
    );
  return id === null ? text('audit.somebody') : <Name text={id} />;
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
