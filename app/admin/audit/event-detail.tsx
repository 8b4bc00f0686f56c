import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import type { Text } from '#lib/messages/text.ts';
import { stripBidi } from '../../ui/user-text.tsx';

/** The details of an event, changes with old and new values. Nothing if there are none. */
export function EventDetail({ event, text }: { event: AuditRecord; text: Text }) {
  const facts = Object.entries(event.detail);
  if (facts.length === 0 && !event.requestId) return null;
  return (
    <details className="mt-1 text-ink-soft">
      <summary className="w-fit cursor-pointer py-0.5 text-xs">{text('audit.details')}</summary>
      <dl className="mt-1 grid gap-1 text-xs">
        {[['type', event.type] as const, ...facts, ['request', event.requestId] as const]
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="font-semibold">{stripBidi(name)}</dt>
              <dd className="min-w-0 font-mono wrap-anywhere text-ink">{written(text, value)}</dd>
            </div>
          ))}
      </dl>
    </details>
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
