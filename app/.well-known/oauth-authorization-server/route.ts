import { mountAt } from '#lib/endpoints/mounts.ts';
import { mount } from '#lib/http/next.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(
  mountAt('/.well-known/oauth-authorization-server'),
);
