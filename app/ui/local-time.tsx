import { momentIn } from '#lib/messages/format.ts';
import { formatsOf } from '#lib/messages/formats.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { PageScript } from './page-script.tsx';

/** A date and time: in the browser's time zone if it runs scripts, otherwise marked as UTC. */
export function LocalTime({ at, locale }: { at: Date; locale: Locale }) {
  const utc = momentIn(locale, at);
  return (
    <>
      <PageScript />
      <time dateTime={at.toISOString()} title={utc} data-local={formatsOf(locale)}>
        <bdi>{utc}</bdi>
      </time>
    </>
  );
}
