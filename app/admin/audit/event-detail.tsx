import type { AuditRecord } from '#lib/management/audit-event/audit.ts';
import { auditWords as words } from '#lib/messages/admin/audit.ts';
import { stripBidi } from '../../ui/user-text.tsx';

/** The details of an event, changes with old and new values. Nothing if there are none. */
export function EventDetail({ event }: { event: AuditRecord }) {
  const facts = Object.entries(event.detail);
  if (facts.length === 0 && !event.requestId) return null;
  return (
    <details className="mt-1 text-ink-soft">
      <summary className="w-fit cursor-pointer py-0.5 text-xs">{words.details}</summary>
      <dl className="mt-1 grid gap-1 text-xs">
        {[['type', event.type] as const, ...facts, ['request', event.requestId] as const]
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="font-semibold">{stripBidi(name)}</dt>
              <dd className="min-w-0 font-mono wrap-anywhere text-ink">{written(value)}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

function written(value: unknown): string {
  if (isChange(value)) return `${simple(value.before)} → ${simple(value.after)}`;
  return simple(value);
}

function simple(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.nothingThere;
  return stripBidi(typeof value === 'string' ? value : JSON.stringify(value));
}

function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === 'object' && value !== null && ('before' in value || 'after' in value);
}
