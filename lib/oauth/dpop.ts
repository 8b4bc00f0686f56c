import type { Client } from './client.ts';
import { type ErrorCode, refuse } from './errors.ts';
import type { Facts, Rule } from './facts.ts';
import { type ClientKey, clientSigningAlgs, isClientSigningAlg, signingKeyIn } from './key-set.ts';
import { digest } from './secrets.ts';
import type { ProtocolSettings } from './settings.ts';
import {
  isSignedBy,
  isTime,
  readJwt,
  rememberedBeyond,
  shownClaim,
  type UnverifiedJwt,
} from './signed-jwt.ts';
import { checkStrength, strongAlgs } from './strong-client.ts';
import { verifyingKeyOf } from './verifying-key.ts';

/*
 * Proofs of possession (RFC 9449): with each request, the user of a token proves that it has the
 * key the token is bound to. A stolen token is worthless without that key.
 */

/** The algorithms for proofs, all of them asymmetric (RFC 9449 section 11.6). */
export const dpopAlgs = clientSigningAlgs;

/** Seconds for which a proof is valid once made, and by which its maker's clock may be ahead. */
const proofLife = 120;
const skew = 30;
const longestProof = 8000;
const longestJti = 256;

/** What is wrong with a proof, and the error its sender gets. */
type ProofFault = {
  code: Extract<ErrorCode, 'invalid_dpop_proof' | 'use_dpop_nonce'>;
  reason: string;
  facts: Facts;
};

/** A proof that is valid for its request, as far as that can be judged without the client. */
export type DpopProof = {
  /** The thumbprint of its key (RFC 7638). */
  jkt: string;
  alg: (typeof dpopAlgs)[number];
  /** Of its `jti` and its key. Once used, it is remembered until `expiresAt`. */
  hash: string;
  expiresAt: Date;
  /** Whether it contains a currently valid nonce from this server. */
  hasNonce: boolean;
  nextNonce: string;
};

/** What a request brings: a valid proof, an invalid one, or none. */
export type Dpop = DpopProof | { fault: ProofFault; nextNonce: string } | null;

/** What a proof is checked against, besides the clock. */
type ProofContext = {
  method: string;
  /** Where the request was sent, under each name that this address has. */
  addresses: readonly string[];
  /** The access token sent with the proof; null: none. */
  accessToken: string | null;
  nonces: { isGood: (nonce: string) => boolean; next: string };
};

/** Checks a proof by the rules of RFC 9449 section 4.3, the expensive checks last. */
export function judgeProof(text: string, context: ProofContext, now: Date): Dpop {
  const nextNonce = context.nonces.next;
  const read = readProof(text, context, now);
  if ('fault' in read) return { ...read, nextNonce };
  const { jwt, alg, key, jti, iat, hasNonce } = read;
  if (!isSignedBy(jwt.text, alg, [key]))
    return { ...fault('signature', 'The DPoP proof is not signed by its key.', alg), nextNonce };
  const jkt = verifyingKeyOf(key).thumbprint;
  return {
    jkt,
    alg,
    hash: `dpop:${digest(JSON.stringify([jkt, jti]))}`,
    expiresAt: new Date((iat + proofLife + rememberedBeyond) * 1000),
    hasNonce,
    nextNonce,
  };
}

type ReadProof = {
  jwt: UnverifiedJwt;
  alg: (typeof dpopAlgs)[number];
  key: ClientKey;
  jti: string;
  iat: number;
  hasNonce: boolean;
};

function readProof(
  text: string,
  context: ProofContext,
  now: Date,
): ReadProof | { fault: ProofFault } {
  const jwt = text.length <= longestProof ? readJwt(text) : null;
  if (!jwt)
    return fault('malformed', 'The DPoP header is not a single readable JWT.', undefined, [
      `one signed JWT of at most ${longestProof} characters, without crit`,
    ]);
  const { alg, typ, jwk } = jwt.header;
  if (typ !== 'dpop+jwt')
    return fault('typ', 'The JWT in the DPoP header is no DPoP proof.', typ, ['dpop+jwt']);
  if (!isClientSigningAlg(alg))
    return fault('alg', 'The signing algorithm of the DPoP proof is not accepted.', alg, dpopAlgs);
  const key = signingKeyIn(jwk, alg);
  if (!key)
    // The sender may have sent a private key by mistake, so it is not shown.
    return fault('key', 'The jwk of the DPoP proof is no public key for its alg.', undefined, [
      `a public key for ${alg}, without private members`,
    ]);
  const wrong = claimsFault(jwt.claims, context, now);
  if (wrong) return wrong;
  const { jti, iat, nonce } = jwt.claims;
  return { jwt, alg, key, jti: String(jti), iat: Number(iat), hasNonce: nonce !== undefined };
}

function claimsFault(
  { htm, htu, iat, jti, ath, nonce }: UnverifiedJwt['claims'],
  { method, addresses, accessToken, nonces }: ProofContext,
  now: Date,
): { fault: ProofFault } | null {
  if (htm !== method)
    return fault('method', 'The DPoP proof is for another method.', htm, [`htm ${method}`]);
  const target = addressOf(htu);
  if (target === null || !addresses.some((address) => addressOf(address) === target))
    return fault('address', 'The DPoP proof is for another address.', htu, addresses);
  const age = now.getTime() / 1000 - (isTime(iat) ? iat : Number.NaN);
  if (!(age <= proofLife && age >= -skew))
    return fault(
      'time',
      'The DPoP proof is too old, or its iat is in the future.',
      toldAge(age, iat),
      [`an iat of the last ${proofLife} s, by the clock of this server`],
    );
  if (typeof jti !== 'string' || jti === '' || jti.length > longestJti)
    return fault('jti', 'The jti of the DPoP proof is missing or too long.', jti, [
      `text of 1 to ${longestJti} characters, a new one each time`,
    ]);
  if (accessToken !== null && ath !== digest(accessToken))
    return fault('token', 'The DPoP proof is for another access token.', described(ath), [
      'ath, the SHA-256 of the access token in base64url',
    ]);
  if (nonce !== undefined && !(typeof nonce === 'string' && nonces.isGood(nonce)))
    return { fault: nonceFault('a nonce that has expired or is not from this server') };
  return null;
}

const described = (ath: unknown) => (ath === undefined ? 'no ath' : 'the ath of another token');

const toldAge = (age: number, iat: unknown) =>
  Number.isNaN(age) ? iat : age > 0 ? `${Math.ceil(age)} s ago` : `in ${Math.ceil(-age)} s`;

/**
 * An address in the form in which proofs are compared: without query and fragment, normalised as in
 * RFC 3986 sections 6.2.2 and 6.2.3 (RFC 9449 section 4.3). null: it is not an address.
 */
function addressOf(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.length > 2000) return null;
  // Browsers repair these, but RFC 3986 does not: wrong or missing slashes, an empty user name.
  if (!/^https?:\/\/[^/\\@\s]/i.test(uri) || !/^[\x21-\x5b\x5d-\x7e]+$/.test(uri)) return null;
  if (!URL.canParse(uri)) return null;
  const { origin, pathname, username, password } = new URL(uri);
  if (username || password) return null;
  const path = pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : code.toUpperCase();
  });
  return origin + path;
}

type Part =
  | 'malformed'
  | 'typ'
  | 'alg'
  | 'key'
  | 'method'
  | 'address'
  | 'time'
  | 'jti'
  | 'signature'
  | 'token';

function fault(
  part: Part,
  reason: string,
  received: unknown,
  expected: readonly string[] = [],
): { fault: ProofFault } {
  const rule: Rule = `dpop.${part}`;
  const isTold = part !== 'malformed' && part !== 'key';
  const facts = { rule, ...(isTold && { received: shownClaim(received) }), expected };
  return { fault: { code: 'invalid_dpop_proof', reason, facts } };
}

export const usedProof: ProofFault = {
  code: 'invalid_dpop_proof',
  reason: 'The DPoP proof was used before.',
  facts: {
    rule: 'dpop.used',
    received: 'a jti that was used before',
    expected: ['a new proof for each request'],
  },
};

const nonceFault = (received: string): ProofFault => ({
  code: 'use_dpop_nonce',
  reason: 'The DPoP proof needs the nonce that this server sends in DPoP-Nonce.',
  facts: { rule: 'dpop.nonce', received, expected: ['the nonce of the last answer'] },
});

type Demanding = Pick<
  Client,
  | 'dpopBoundAccessTokens'
  | 'requireDpopNonce'
  | 'strong'
  | 'type'
  | 'jwks'
  | 'jwksUri'
  | 'federatedCredentials'
  | 'guardedSites'
>;

/** Whether a client's proofs must contain a nonce from this server (RFC 9449 section 8). */
const demandsNonce = (
  { requireDpopNonce }: Demanding,
  settings: Pick<ProtocolSettings, 'requireDpopNonce'>,
) => requireDpopNonce ?? settings.requireDpopNonce;

/** What is wrong with a proof according to its client's requirements; null: nothing. */
export function proofFault(
  dpop: NonNullable<Dpop>,
  client: Demanding,
  settings: Pick<ProtocolSettings, 'requireDpopNonce'>,
): ProofFault | null {
  if ('fault' in dpop) return dpop.fault;
  if (client.strong && !strongAlgs.includes(dpop.alg))
    return fault(
      'alg',
      'The signing algorithm of the DPoP proof is not accepted.',
      dpop.alg,
      strongAlgs,
    ).fault;
  return demandsNonce(client, settings) && !dpop.hasNonce
    ? nonceFault('a proof without one')
    : null;
}

/**
 * The proof with which a client gets tokens; null: it gets bearer tokens.
 * @param ofTrial this server itself acts for the client, and keeps what it gets
 * @throws OAuthRefusal invalid_dpop_proof, also where the client has to send one; use_dpop_nonce;
 * unauthorized_client for a strong client that does not authenticate with a key
 */
export function checkProof(
  dpop: Dpop,
  client: Demanding,
  settings: Pick<ProtocolSettings, 'requireDpopNonce'>,
  ofTrial?: true,
): DpopProof | null {
  if (!ofTrial) checkStrength(client);
  if (dpop === null) {
    if (client.dpopBoundAccessTokens && !ofTrial) refuseProof(missingProof);
    return null;
  }
  const fault = proofFault(dpop, client, settings);
  if (fault) refuseProof(fault, dpop.nextNonce);
  return 'fault' in dpop ? null : dpop;
}

export const missingProof: ProofFault = {
  code: 'invalid_dpop_proof',
  reason: 'The request has no DPoP proof (RFC 9449).',
  facts: { rule: 'dpop.missing', received: 'no DPoP header', expected: ['a DPoP header'] },
};

/** @throws OAuthRefusal always; with the nonce for the next proof, if that is what was missing */
export function refuseProof({ code, reason, facts }: ProofFault, nextNonce?: string): never {
  refuse(code, reason, facts, {
    ...(code === 'use_dpop_nonce' &&
      nextNonce !== undefined && { headers: { 'dpop-nonce': nextNonce } }),
  });
}

/**
 * Whether a code or a refresh token may be used with this proof.
 * @param jkt the key it is bound to; null: none
 */
export const fitsKey = (jkt: string | null, proof: DpopProof | null): boolean =>
  jkt === null || jkt === proof?.jkt;

/**
 * @throws OAuthRefusal invalid_grant if it may not (RFC 9449 sections 5 and 10; for an identity
 *   assertion, section 8.6 of its draft)
 */
export function checkKey(
  jkt: string | null,
  proof: DpopProof | null,
  what: 'code' | 'refresh token' | 'assertion',
): void {
  if (fitsKey(jkt, proof)) return;
  refuse('invalid_grant', `The ${what} is bound to another key.`, {
    rule: 'dpop.other-key',
    received: proof ? 'a proof by another key' : 'no DPoP header',
    expected: [`a proof by the key with the thumbprint ${jkt}`],
  });
}

/** The key that a token is bound to, for APIs and introspection (RFC 9449 sections 6.1 and 6.2). */
export const confirmation = (jkt: string | null): { cnf?: { jkt: string } } =>
  jkt === null ? {} : { cnf: { jkt } };

/** Whether a text has the form of a key's SHA-256 thumbprint (RFC 7638). */
export const isThumbprint = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/**
 * Reads `dpop_jkt` of an authorization request (RFC 9449 section 10).
 * @throws OAuthRefusal invalid_request
 */
export function checkThumbprint(jkt: string | undefined): string | null {
  if (jkt === undefined) return null;
  if (isThumbprint(jkt)) return jkt;
  refuse('invalid_request', 'dpop_jkt is not the SHA-256 thumbprint of a key (RFC 7638).', {
    rule: 'parameter.invalid',
    received: `dpop_jkt=${jkt.slice(0, 100)}`,
    expected: ['43 characters of base64url'],
  });
}
