import { cache } from 'react';
import { listTroubles } from '#lib/management/overview.ts';

/** What fails and what waits, read once per page, however many parts of the page use it. */
export const readTroubles = cache(() => listTroubles(new Date()));
