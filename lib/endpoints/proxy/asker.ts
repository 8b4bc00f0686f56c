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
  const { proxySecret } = config();
  const sent = request.header(secretHeader);
  if (proxySecret !== null && sent !== undefined && sameDigest(digest(sent), digest(proxySecret)))
    return 'secret';
  return isTrustedProxy(request.peer) ? 'network' : null;
}

/** Who sent a request to a proxy, which may have proved itself by its secret alone. */
export function visitorOf(request: HttpRequest): Sender {
  if (askerOf(request) !== 'secret')
    return { address: request.address, isShared: request.isShared };
  return senderOf(request.peer ?? '', request.header('x-forwarded-for'), true);
}

/** Only a proxy may ask, and say for whom. @throws OAuthRefusal */
export function checkAsker(request: HttpRequest): void {
  if (askerOf(request) !== null) return;
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
