import { routesBelow } from '#app/route-at.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('');
