import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Dpop, type DpopProof, judgeProof, refuseProof, usedProof } from '../oauth/dpop.ts';
import { isNonce, nonceAt } from '../oauth/dpop-nonce.ts';
import { atOldAddress, type OldPath } from '../oauth/old-issuer.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { derivedKeys } from '../sealed/seal.ts';
import { type SingleUse, spendOnce } from '../store/spent-values.ts';

/**
 * The addresses of an endpoint as whoever asks it knows it: those of an old issuer, if it was asked there,
 * and its second form (`/oauth?=token`), if it was asked by that.
 */
export function askedAt({ oldIssuer, secondPath }: HttpRequest, path: OldPath): string[] {
  const { issuer } = config();
  if (oldIssuer !== undefined) return [atOldAddress(issuer + oldIssuer, path)];
  return secondPath === undefined ? [issuer + path] : [issuer + path, issuer + secondPath];
}

/** An address, and while this server is at a developer's own computer, by each name of that. */
function namesOf(address: string): string[] {
  const { hostname, port, protocol, pathname } = new URL(address);
  if (!isLoopbackHost(hostname)) return [address];
  const others = ['localhost', '127.0.0.1', '[::1]'].filter((name) => name !== hostname);
  return [address, ...others.map((name) => `${protocol}//${name}:${port}${pathname}`)];
}

/**
 * Reads the proof of a request (RFC 9449 section 4). One without costs nothing. Nothing is spent yet, and
 * what is wrong with it is said once its client is known.
 * @param addresses where the request was sent
 * @param accessToken beside it
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

/** A request takes several looks where another was faster; its proof is spent once. */
const spending = new WeakMap<DpopProof, ReturnType<typeof spendOnce>>();

/**
 * Spends a proof (RFC 9449 section 11.1): of any number that come at once, in any number of processes,
 * one is good. It comes last before what the proof is for, or within it (`unspent`), so that nobody leaves a row here who has not
 * shown a code, a token or a credential.
 * @throws OAuthRefusal invalid_dpop_proof for the second use
 */
export async function spendProof(proof: DpopProof | null): Promise<void> {
  if (proof === null) return;
  if (!(await isFirstUse(proof))) refuseProof(usedProof, proof.nextNonce);
}

/** The same as an answer. */
export async function isFirstUse(proof: DpopProof): Promise<boolean> {
  const spent = spending.get(proof) ?? spendOnce(proof.once, proof.keepUntil);
  spending.set(proof, spent);
  return (await spent) === 'spent-now';
}

/** What a step uses up of a proof that nothing was done with yet. */
export const unspent = (proof: DpopProof | null): SingleUse | null =>
  proof === null || spending.has(proof) ? null : { hash: proof.once, expiresAt: proof.keepUntil };

/** Notes that a step has spent a proof. */
export function spentByStep(proof: DpopProof | null): void {
  if (proof !== null) spending.set(proof, Promise.resolve('spent-now'));
}

/** The header with the nonce for the next proof, where this one held one (RFC 9449 section 8.2). */
export const nonceFor = (dpop: Dpop): { 'dpop-nonce'?: string } =>
  dpop !== null && 'hasNonce' in dpop && dpop.hasNonce ? { 'dpop-nonce': dpop.nextNonce } : {};
