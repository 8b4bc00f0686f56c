import type { Endpoint } from '#lib/http/message.ts';
import type { Mount } from '#lib/http/serve.ts';
import { beginAt } from './begin.ts';
import { comeBack, comeBackByPost } from './come-back.ts';
import { endAt } from './end.ts';

const address = /^\/login\/with\/([a-z0-9-]{1,40})(\/callback|\/ended)?$/;

/**
 * The endpoint of a provider at an address: its button, its redirect URI, or the address where it
 * reports sign-outs. Null for any other address.
 */
export function findProviderMount(path: string): Mount | null {
  const [, slug, back] = address.exec(path) ?? [];
  if (slug === undefined) return null;
  const shared = { speaks: 'html', step: 'sign-in' } as const;
  if (!back)
    return {
      path: '/login/with/*',
      methods: { GET: (request, now) => beginAt(slug, request, now) },
      ...shared,
    };
  if (back === '/ended')
    return {
      path: '/login/with/*/ended',
      methods: { POST: (request, now) => endAt(slug, request, now) },
      speaks: 'json',
      step: 'sign-out',
    };
  const posted: Endpoint = (request) => comeBackByPost(slug, request);
  return {
    path: '/login/with/*/callback',
    methods: {
      GET: (request, now) => comeBack(slug, request, now),
      POST: posted,
    },
    ...shared,
  };
}
