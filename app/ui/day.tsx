import { defaultLocale } from '#lib/messages/text.ts';

/** A date as people write it. In UTC: the server does not know where the reader is. */
export function Day({ at, locale = defaultLocale }: { at: string; locale?: string }) {
  const written = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {written}
    </time>
  );
}
