import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import type { Text } from '#lib/messages/text.ts';
import { factLabel, writtenFact } from './facts.ts';

/** The details of an event; changes have old and new values. */
export function EventDetail({ event, text }: { event: AuditRecord; text: Text }) {
  const facts = [
    ...Object.entries(event.detail),
    ['time', event.at.toISOString()],
    ['address', event.address],
    ['type', event.type],
    ['event', event.id],
    ['request', event.requestId],
  ] as const;
  return (
    <dl className="grid gap-2 rounded-2xl border border-line bg-surface p-4 text-sm">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="min-w-36 font-semibold">{factLabel(text, name)}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere">{writtenFact(text, value)}</dd>
          </div>
        ))}
    </dl>
  );
}
