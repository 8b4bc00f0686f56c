import { routeHandlers } from '#lib/http/next.ts';
import { findMissed, findTarget } from './mounts.ts';
import type { ProgramPath } from './paths.ts';

const find = (path: string, query: string) => findTarget(path, query) ?? findMissed(path);

/**
 * The route handlers of an address, for `next dev`, `next start` and hosts without our server. They
 * answer as the table in `mounts.ts` says, exactly as our server does.
 */
export function routeAt(path: ProgramPath | '/oauth') {
  return routeHandlers((_, query) => find(path, query));
}

/**
 * The same for a folder of many addresses; the path of each request is looked up in the table.
 * @param base what may come before the address in the table: `/mount` in `/mount/login/submit`
 */
export function routesBelow(base: '' | '/mount') {
  return routeHandlers((path, query) => find(path.replace(base, ''), query));
}
