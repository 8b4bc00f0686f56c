import { agoIn, momentIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';

/** How long ago something happened last, or that it never did. */
export function Since({ at, never, locale }: { at: Date | null; never: string; locale: Locale }) {
  if (at === null) return <span className="text-ink-soft">{never}</span>;
  return (
    <time dateTime={at.toISOString()} title={momentIn(locale, at)} className="whitespace-nowrap">
      {agoIn(locale, at, new Date())}
    </time>
  );
}
