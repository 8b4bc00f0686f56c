// By its name: the list of locales would bring all their messages into the browser.
const format = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Date and time to the second in UTC, as in logs. */
export function Moment({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} className="tabular-nums sm:whitespace-nowrap">
      {format.format(at)}
    </time>
  );
}
