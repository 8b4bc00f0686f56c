import type { HttpRequest } from '../http/message.ts';
import { dpopChallenge, type SentToken } from '../oauth/bearer.ts';
import { type Dpop, missingProof, proofFault, usedProof } from '../oauth/dpop.ts';
import { type ErrorCode, refuse } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import type { LiveAccessToken } from '../store/access-tokens.ts';
import { readSettings } from '../store/settings.ts';
import { readDpop } from './dpop.ts';
import { trySpend } from './single-use.ts';

/**
 * Checks that a token which is bound to a key comes with a proof of that key, and any other token
 * without a proof (RFC 9449 section 7). Returns the proof, which is spent now.
 * @param addresses where the request was sent, one of which its proof has to name
 * @throws OAuthRefusal 401, with what is required
 */
export async function checkHolder(
  { text, scheme }: SentToken,
  { jkt, client }: Pick<LiveAccessToken, 'jkt' | 'client'>,
  { request, addresses }: { request: HttpRequest; addresses: readonly string[] },
  now: Date,
): Promise<Dpop> {
  if (scheme === 'Bearer' && jkt === null) return null;
  if (scheme === 'Bearer')
    refuseHolder('invalid_token', 'This token is bound to a key. Send it as DPoP, with a proof.', {
      rule: 'dpop.scheme',
      received: 'the scheme Bearer',
      expected: ['Authorization: DPoP …, and a DPoP header'],
    });
  if (jkt === null)
    refuseHolder('invalid_token', 'This token is bound to no key. Send it as Bearer.', {
      rule: 'dpop.scheme',
      received: 'the scheme DPoP',
      expected: ['Authorization: Bearer …'],
    });
  const dpop = readDpop(request, addresses, now, text);
  const fault = dpop ? proofFault(dpop, client, await readSettings()) : missingProof;
  if (fault) refuseHolder(fault.code, fault.reason, fault.facts, dpop?.nextNonce);
  if (dpop === null || 'fault' in dpop) throw new Error('A proof without a fault is there.');
  if (dpop.jkt !== jkt)
    refuseHolder('invalid_token', 'The key of the DPoP proof is not the key of the token.', {
      rule: 'dpop.other-key',
      received: 'a proof by another key',
      expected: [`a proof by the key with the thumbprint ${jkt}`],
    });
  if (!(await trySpend(dpop))) refuseHolder(usedProof.code, usedProof.reason, usedProof.facts);
  return dpop;
}

/** @throws OAuthRefusal always: 401, with what is required (RFC 9449 section 7.1) */
function refuseHolder(code: ErrorCode, reason: string, facts: Facts, nextNonce?: string): never {
  refuse(code, reason, facts, {
    status: 401,
    sentence: reason,
    headers: {
      ...dpopChallenge(code, reason),
      ...(code === 'use_dpop_nonce' && nextNonce !== undefined && { 'dpop-nonce': nextNonce }),
    },
  });
}
