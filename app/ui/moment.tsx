import type { Locale } from '#lib/messages/locales.ts';
import { pageZone } from '../zone.ts';
import { MomentIn } from './moment-in.tsx';

/** Date and time to the second in the reader's time zone, with UTC in the title. */
export async function Moment({ at, locale }: { at: Date; locale: Locale }) {
  return <MomentIn at={at} locale={locale} zone={await pageZone()} />;
}
