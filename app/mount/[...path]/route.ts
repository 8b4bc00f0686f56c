import { findMissed, findTarget } from '#app/mounts.ts';
import { routeHandlers } from '#lib/http/next.ts';

/**
 * What forms and scripts of our pages ask, and what programs look for in vain: `next.config.js`
 * rewrites these addresses to the same ones below /mount.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeHandlers((path, query) => {
  const asked = path.replace('/mount', '');
  return findTarget(asked, query) ?? findMissed(asked);
});
