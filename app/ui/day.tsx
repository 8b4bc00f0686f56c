import { dayIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';

/** A localised date that doesn't wrap and keeps its direction. */
export function Day({ at, locale }: { at: string; locale: Locale }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      <bdi>{dayIn(locale, new Date(at))}</bdi>
    </time>
  );
}
