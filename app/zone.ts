import { cookies } from 'next/headers';
import { cache } from 'react';
import { zoneNamed } from '#lib/messages/zone.ts';

/** Where the browser says (public/dashboard.js) in which time zone it is. Nothing depends on it but how times are shown. */
const zoneCookie = 'gh_zone';

/** The time zone of who reads the current page; UTC until their browser has told it. */
export const pageZone = cache(
  async (): Promise<string> => zoneNamed((await cookies()).get(zoneCookie)?.value),
);
