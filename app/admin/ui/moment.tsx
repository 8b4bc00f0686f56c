import { defaultLocale } from '#lib/messages/locales.ts';

const format = new Intl.DateTimeFormat(defaultLocale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Date and time to the second in UTC, as in logs. */
export function Moment({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap tabular-nums">
      {format.format(at)}
    </time>
  );
}
