import { routeHandlers } from '#lib/http/next.ts';
import { findMissed, findTarget } from './mounts.ts';
import type { ProgramPath } from './paths.ts';

/**
 * The route handlers of an address, for `next dev`, `next start` and hosts without our server: what
 * the table in `mounts.ts` has there, as our server mounts it.
 */
export function routeAt(path: ProgramPath | '/oauth') {
  return routeHandlers((_, query) => findTarget(path, query) ?? findMissed(path));
}
