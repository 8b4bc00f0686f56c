import { routesBelow } from '#app/route-at.ts';

/**
 * What forms and scripts of our pages ask, and what programs look for in vain: `next.config.js`
 * rewrites these addresses to the same ones below /mount.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/mount');
