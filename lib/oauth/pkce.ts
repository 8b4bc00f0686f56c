import { createHash, timingSafeEqual } from 'node:crypto';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import { masked } from './facts.ts';
import { first, type Params } from './params.ts';
import type { ProtocolSettings } from './settings.ts';

/** RFC 7636 section 4.1: 43 to 128 unreserved characters. */
const verifierGrammar = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The code challenge of an authorization request, if any (RFC 7636 section 4.3). Only S256 is
 * accepted: `plain` would reveal the verifier to anyone who sees the request (RFC 9700 section
 * 2.1.1).
 * @throws OAuthRefusal invalid_request
 */
export function checkChallenge(
  params: Params,
  client: Client,
  settings: ProtocolSettings,
): string | undefined {
  const challenge = first(params, 'code_challenge');
  const method = first(params, 'code_challenge_method');
  if (challenge === undefined) {
    const required = client.type === 'public' || (client.requirePkce ?? settings.requirePkce);
    checkWithout(method, required);
    return undefined;
  }
  if (method !== 'S256')
    refuse('invalid_request', 'code_challenge_method must be S256.', {
      rule: 'pkce.method',
      received: method ?? 'none (plain)',
      expected: ['S256'],
    });
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    refuse(
      'invalid_request',
      'code_challenge must be 43 base64url characters (SHA-256 of the verifier).',
      {
        rule: 'pkce.challenge-malformed',
        received: `${challenge.length} characters`,
        expected: ['43 base64url characters'],
      },
    );
  }
  return challenge;
}

/** @throws OAuthRefusal if the request needs a challenge */
function checkWithout(method: string | undefined, required: boolean): void {
  if (method !== undefined)
    refuse('invalid_request', 'code_challenge_method was sent without code_challenge.', {
      rule: 'pkce.required',
      received: `code_challenge_method=${method} alone`,
      expected: ['code_challenge'],
    });
  if (required)
    refuse('invalid_request', 'code_challenge is required for this client (PKCE, S256).', {
      rule: 'pkce.required',
      expected: ['code_challenge', 'code_challenge_method=S256'],
    });
}

/**
 * Checks the verifier against the code's challenge (RFC 7636 section 4.6). A verifier for a code
 * without a challenge is refused, because the challenge may have been stripped on the way (RFC 9700
 * section 4.8.2).
 * @throws OAuthRefusal invalid_grant
 */
export function checkVerifier(verifier: string | undefined, challenge: string | null): void {
  if (challenge === null) {
    if (verifier !== undefined)
      refuse(
        'invalid_grant',
        'code_verifier was sent, but the authorization request had no code_challenge.',
        { rule: 'pkce.verifier-unexpected', received: masked('a verifier', verifier) },
      );
    return;
  }
  const expected = ['the verifier of the code_challenge (S256)'];
  if (verifier === undefined)
    refuse('invalid_grant', 'code_verifier is missing.', {
      rule: 'pkce.verifier-missing',
      expected,
    });
  if (verifier === challenge)
    refuse('invalid_grant', 'code_verifier is the code_challenge itself.', {
      rule: 'pkce.verifier-is-challenge',
      received: 'the code_challenge',
      expected,
    });
  const received = masked('a verifier', verifier);
  if (!verifierGrammar.test(verifier))
    refuse('invalid_grant', 'code_verifier must be 43 to 128 unreserved characters.', {
      rule: 'pkce.verifier-malformed',
      received,
      expected: ['43 to 128 unreserved characters'],
    });
  if (!timingSafeEqual(Buffer.from(codeChallengeOf(verifier)), Buffer.from(challenge)))
    refuse('invalid_grant', 'code_verifier does not match code_challenge.', {
      rule: 'pkce.verifier-differs',
      received,
      expected,
    });
}

/** The challenge for a verifier (RFC 7636 section 4.2, S256). */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export function isVerifier(text: string): boolean {
  return verifierGrammar.test(text);
}
