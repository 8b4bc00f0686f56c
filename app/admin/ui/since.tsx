import { agoIn, momentIn } from '#lib/messages/format.ts';
import { defaultLocale } from '#lib/messages/locales.ts';

/** How long ago something happened last, or that it never did. */
export function Since({ at, never }: { at: Date | null; never: string }) {
  if (at === null) return <span className="text-ink-soft">{never}</span>;
  return (
    <time
      dateTime={at.toISOString()}
      title={momentIn(defaultLocale, at)}
      className="whitespace-nowrap"
    >
      {agoIn(defaultLocale, at, new Date())}
    </time>
  );
}
