import { defaultLocale } from '#lib/messages/text.ts';

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago something was, as people say it: no time zone is needed for that. */
export function Ago({ at, now = new Date(), locale = defaultLocale }: { at: string; now?: Date; locale?: string }) {
  const seconds = Math.max(0, (now.getTime() - new Date(at).getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (['second', Number.POSITIVE_INFINITY] as const);
  const written = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
  return <time dateTime={at}>{written}</time>;
}
