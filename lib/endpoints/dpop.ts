import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Dpop, type DpopProof, judgeProof, refuseProof, usedProof } from '../oauth/dpop.ts';
import { isNonce, nonceAt } from '../oauth/dpop-nonce.ts';
import { atOldAddress, type OldPath } from '../oauth/old-issuer.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { derivedKeys } from '../sealed/seal.ts';
import { trySpend } from './single-use.ts';

/**
 * The URLs of an endpoint as the client knows it: at an old issuer if the request was sent there,
 * and also its alternative form (`/oauth?=token`) if that was used.
 */
export function endpointUrls({ oldIssuer, secondPath }: HttpRequest, path: OldPath): string[] {
  const { issuer } = config();
  if (oldIssuer !== undefined) return [atOldAddress(issuer + oldIssuer, path)];
  return secondPath === undefined ? [issuer + path] : [issuer + path, issuer + secondPath];
}

/** An address; if its host is loopback, the address with each loopback name. */
function namesOf(address: string): string[] {
  const { hostname, port, protocol, pathname } = new URL(address);
  if (!isLoopbackHost(hostname)) return [address];
  const others = ['localhost', '127.0.0.1', '[::1]'].filter((name) => name !== hostname);
  return [address, ...others.map((name) => `${protocol}//${name}:${port}${pathname}`)];
}

/**
 * Reads the DPoP proof of a request (RFC 9449 section 4). A request without one costs nothing.
 * Nothing is spent yet, and an invalid proof is refused only once its client is known.
 * @param addresses where the request was sent
 * @param accessToken the access token that was sent with it
 */
export function readDpop(
  request: HttpRequest,
  addresses: readonly string[],
  now: Date,
  accessToken: string | null = null,
): Dpop {
  const text = request.header('dpop');
  if (text === undefined) return null;
  const keys = derivedKeys('dpop-nonce');
  const [key] = keys;
  if (!key) throw new Error('There is no server secret.');
  const nonces = {
    isGood: (nonce: string) => isNonce(nonce, keys, now),
    next: nonceAt(now, key),
  };
  const { method } = request;
  const context = { method, addresses: addresses.flatMap(namesOf), accessToken, nonces };
  return judgeProof(text, context, now);
}

/**
 * Spends a proof (RFC 9449 section 11.1). If the same proof arrives several times at once, even in
 * several processes, only one succeeds. A proof is spent as the last step before what it is for, or
 * together with it (`unspent`), so that only senders with a code, a token or a credential can add a
 * row here.
 * @throws OAuthRefusal invalid_dpop_proof for the second use
 */
export async function spendProof(proof: DpopProof | null): Promise<void> {
  if (proof === null) return;
  if (!(await trySpend(proof))) refuseProof(usedProof, proof.nextNonce);
}

/**
 * The header with the nonce for the next proof, if this proof had a nonce (RFC 9449 section 8.2).
 */
export const nonceFor = (dpop: Dpop): { 'dpop-nonce'?: string } =>
  dpop !== null && 'hasNonce' in dpop && dpop.hasNonce ? { 'dpop-nonce': dpop.nextNonce } : {};
