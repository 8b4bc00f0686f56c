import type { CallsLeft } from '../../http/request-limits.ts';
import { OAuthRefusal } from '../../oauth/errors.ts';

type Headers = Record<Lowercase<string>, string>;

const policy = 'calls';

/**
 * What a caller has left (draft-ietf-httpapi-ratelimit-headers-10): the policy of its limit, and
 * the calls that remain until the window ends.
 */
export function rateLimit({ limit, window, remaining, seconds }: CallsLeft): Headers {
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${window}`,
    ratelimit: `"${policy}";r=${remaining};t=${seconds}`,
  };
}

/** A refusal that tells what is left, too. Other errors are returned unchanged. */
export function telling(error: unknown, limits: Headers): unknown {
  if (error instanceof OAuthRefusal) error.wire.headers = { ...limits, ...error.wire.headers };
  return error;
}

export const limitHeaders = {
  'RateLimit-Policy': {
    description: 'How many calls (`q`) a caller has in so many seconds (`w`).',
    schema: { type: 'string' },
    example: `"${policy}";q=6000;w=900`,
  },
  RateLimit: {
    description: 'How many of them are left (`r`), and for how many seconds (`t`).',
    schema: { type: 'string' },
    example: `"${policy}";r=5999;t=900`,
  },
};
