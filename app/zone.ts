import { cookies } from 'next/headers';
import { cache } from 'react';
import { zoneNamed } from '#lib/messages/zone.ts';

/**
 * The cookie in which the browser gives its time zone (public/dashboard.js). It affects only how
 * times are shown.
 */
const zoneCookie = 'gh_zone';

/** The time zone of the reader of the current page; UTC until their browser has sent it. */
export const pageZone = cache(
  async (): Promise<string> => zoneNamed((await cookies()).get(zoneCookie)?.value),
);
