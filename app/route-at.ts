import { routeHandlers } from '#lib/http/next.ts';
import { findMissed, findTarget } from './mounts.ts';
import type { ProgramPath } from './paths.ts';

const find = (path: string, query: string) => findTarget(path, query) ?? findMissed(path);

/**
 * The route handlers of an address, for `next dev`, `next start` and hosts without our server: what
 * the table in `mounts.ts` has there, as our server mounts it.
 */
export function routeAt(path: ProgramPath | '/oauth') {
  return routeHandlers((_, query) => find(path, query));
}

/**
 * The same for a folder of many addresses, each found by what was asked.
 * @param base what may stand before the address that the table has: `/mount` in `/mount/login/submit`
 */
export function routesBelow(base: '' | '/mount') {
  return routeHandlers((path, query) => find(path.replace(base, ''), query));
}
