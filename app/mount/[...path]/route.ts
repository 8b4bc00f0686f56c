import { routesBelow } from '#app/route-at.ts';

/**
 * The addresses that forms and scripts of our pages use, and those that programs try in vain.
 * `next.config.js` rewrites them to the same addresses below /mount.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/mount');
