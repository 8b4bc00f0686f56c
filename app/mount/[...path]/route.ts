import { findMissed, findTarget } from '#app/mounts.ts';
import { mountAll } from '#lib/http/next.ts';

/**
 * Every endpoint, for `next dev`, `next start` and hosts without our server. `next.config.js`
 * rewrites the address of each to the same one below /mount.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountAll(
  '/mount',
  (path, query) => findTarget(path, query) ?? findMissed(path),
);
