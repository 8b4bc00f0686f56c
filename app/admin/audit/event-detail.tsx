import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import type { Text } from '#lib/messages/text.ts';
import { stripBidi } from '../../ui/user-text.tsx';

/** The details of an event; changes have old and new values. */
export function EventDetail({ event, text }: { event: AuditRecord; text: Text }) {
  const facts = [
    ['type', event.type],
    ['id', event.id],
    ['time', event.at.toISOString()],
    ['address', event.address],
    ...Object.entries(event.detail),
    ['request', event.requestId],
  ] as const;
  return (
    <dl className="grid gap-2 rounded-2xl border border-line bg-surface p-4 text-sm">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="min-w-28 font-semibold">{stripBidi(name)}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere">{written(text, value)}</dd>
          </div>
        ))}
    </dl>
  );
}

function written(text: Text, value: unknown): string {
  if (isChange(value)) return `${simple(text, value.before)} → ${simple(text, value.after)}`;
  return simple(text, value);
}

function simple(text: Text, value: unknown): string {
  if (value === null || value === undefined || value === '') return text('audit.nothingThere');
  return stripBidi(typeof value === 'string' ? value : JSON.stringify(value));
}

function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === 'object' && value !== null && ('before' in value || 'after' in value);
}
