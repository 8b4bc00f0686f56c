import { defaultLocale } from '#lib/messages/text.ts';

/** Day and time to the second, in UTC, as logs have it. */
export function Moment({ at, locale = defaultLocale }: { at: Date; locale?: string }) {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' });
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap tabular-nums">
      {format.format(at)}
    </time>
  );
}
