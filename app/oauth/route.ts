import { findTarget } from '#lib/endpoints/mounts.ts';
import { mountByQuery } from '#lib/http/next.ts';

/** The second path form of the interface: `/oauth?=token`, and `/?oauth=token` rewritten to it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountByQuery((query) =>
  findTarget('/oauth', query),
);
