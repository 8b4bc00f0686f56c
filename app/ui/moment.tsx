import { formatsOf } from '#lib/messages/formats.ts';
import type { Locale } from '#lib/messages/locales.ts';

const style = {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;

/** Date and time to the second in UTC, as in logs. */
export function Moment({ at, locale }: { at: Date; locale: Locale }) {
  return (
    <time dateTime={at.toISOString()} className="tabular-nums sm:whitespace-nowrap">
      {new Intl.DateTimeFormat(formatsOf(locale), style).format(at)}
    </time>
  );
}
