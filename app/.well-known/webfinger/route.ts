import { routeAt } from '#app/route-at.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt('/.well-known/webfinger');
