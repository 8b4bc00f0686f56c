import { config } from '../../config.ts';
import { isTrustedProxy, senderOf } from '../../http/address.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { Sender } from '../../http/network.ts';
import { refuse } from '../../oauth/errors.ts';
import { digest, sameDigest } from '../../oauth/secrets.ts';

/** The header in which a proxy proves itself that TRUSTED_PROXIES cannot name. */
const secretHeader = 'x-gatehouse-proxy-secret';

/** By what a request was found to come from a proxy of the operator; null: by nothing. */
export function askerOf(request: HttpRequest): 'network' | 'secret' | null {
  const { proxySecretHash: hash } = config();
  const sent = request.header(secretHeader);
  if (hash !== null && sent !== undefined && sameDigest(digest(sent), hash)) return 'secret';
  return isTrustedProxy(request.peer) ? 'network' : null;
}

/**
 * Only a proxy may ask, and say for whom.
 * @returns who sent the request to the proxy
 * @throws OAuthRefusal
 */
export function checkAsker(request: HttpRequest): Sender {
  const asker = askerOf(request);
  if (asker !== null) return senderBehind(asker, request);
  refuse(
    'access_denied',
    'Only a proxy that this server trusts may ask here.',
    {
      rule: 'proxy.asker',
      received: `a request from ${request.peer ?? 'an unknown address'}`,
      expected: ['an address that TRUSTED_PROXIES lists', 'X-Gatehouse-Proxy-Secret: PROXY_SECRET'],
    },
    { status: 403 },
  );
}

/** A proxy that proves itself by its secret alone is believed like a listed one. */
export const senderBehind = (asker: ReturnType<typeof askerOf>, request: HttpRequest): Sender =>
  asker === 'secret'
    ? senderOf(request.peer ?? '', request.header('x-forwarded-for'), true)
    : request;
