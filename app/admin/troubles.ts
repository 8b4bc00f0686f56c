import { cache } from 'react';
import { listTroubles } from '#lib/management/overview.ts';

/** What fails and what waits: read once for a page, however many of its parts name it. */
export const readTroubles = cache(() => listTroubles(new Date()));
