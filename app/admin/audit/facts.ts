import { sayIn, type Text } from '#lib/messages/text.ts';
import { stripBidi } from '../../ui/strip-bidi.ts';

/** What a detail of an event is called; one without a text of its own, by its name in words. */
export function factLabel(text: Text, name: string): string {
  const said = sayIn(text.locale)(`audit.facts.${name}`);
  if (said !== undefined) return said;
  const words = stripBidi(name)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const spelled = words.replace(/\b(uris?|id|url|pkce|ttl|dpop|jwks?)\b/g, (short) =>
    short === 'uris' ? 'URIs' : short.toUpperCase(),
  );
  return spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

/** A detail of an event; a change as its old and its new value. */
export function writtenFact(text: Text, value: unknown): string {
  if (!isChange(value)) return simple(text, value);
  return `${simple(text, value.before)} → ${simple(text, value.after)}`;
}

/** The changes among the details of an event, and the one of a setting. */
export function changesIn(
  text: Text,
  { type, detail }: { type: string; detail: Record<string, unknown> },
): { label: string; change: string }[] {
  if (type === 'setting.changed') return [{ label: '', change: writtenFact(text, detail) }];
  return Object.entries(detail)
    .filter(([, value]) => isChange(value))
    .map(([name, value]) => ({ label: factLabel(text, name), change: writtenFact(text, value) }));
}

function simple(text: Text, value: unknown): string {
  if (value === null || value === undefined || value === '') return text('audit.nothingThere');
  if (typeof value === 'boolean') return text(value ? 'fields.yes' : 'fields.no');
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? text('audit.nothingThere') : stripBidi(value.join(', '));
  return stripBidi(typeof value === 'string' ? value : JSON.stringify(value));
}

function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === 'object' && value !== null && ('before' in value || 'after' in value);
}
