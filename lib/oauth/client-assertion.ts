import type { Facts, Rule } from './facts.ts';
import { type ClientKey, type clientSigningAlgs, isClientSigningAlg, keysFor } from './key-set.ts';
import { isText } from './params.ts';
import { digest } from './secrets.ts';
import {
  isSignedBy,
  isTime,
  readJwt,
  rememberedBeyond,
  shownClaim,
  type UnverifiedJwt,
} from './signed-jwt.ts';

/** The only kind of client assertion accepted here (RFC 7523 section 2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Seconds by which two clocks may differ. */
const skew = 30;
/** Seconds. Used ones are remembered until they end; libraries issue an hour. */
const longestLife = 3600;
/** The maximum length of a `jti`, in characters. */
export const longestJti = 256;

/** What is wrong with an assertion, for the log and the trace. */
export type AssertionFault = { reason: string; facts: Facts };

/**
 * An assertion whose claims are correct. Its signature, and whether it is used for the first time,
 * are still to be checked.
 */
export type ReadAssertion = {
  jwt: UnverifiedJwt;
  alg: (typeof clientSigningAlgs)[number];
  kid: string | undefined;
  /**
   * A digest of its `jti` and its client. Once used, it is remembered until `keepUntil`. null: the
   * assertion may be used more than once.
   */
  once: string | null;
  keepUntil: Date;
};

/**
 * The client that an assertion names, before any of it is trusted. JSON can hold a name that is not
 * valid text.
 */
export function clientNamedIn(assertion: string): string | undefined {
  const sub = readJwt(assertion)?.claims.sub;
  return typeof sub === 'string' && isText(sub) ? sub : undefined;
}

/**
 * Checks the claims of an assertion (RFC 7523 section 3; FAPI 2.0 Security Profile section
 * 5.3.2.1). The audience must be this issuer and no other: an assertion valid at two servers could
 * be passed on by one to the other.
 * @param clientId the client that has to have issued it
 * @param algs the algorithms that the client may sign with
 */
export function readAssertion(
  text: string,
  { clientId, issuer, algs }: { clientId: string; issuer: string; algs: readonly string[] },
  now: Date,
): ReadAssertion | { fault: AssertionFault } {
  const signed = readSigned(text, { ...ownAssertion, algs });
  if ('fault' in signed) return signed;
  const { claims } = signed.jwt;
  if (claims.iss !== clientId || claims.sub !== clientId) {
    const said = `iss ${shownClaim(claims.iss)}, sub ${shownClaim(claims.sub)}`;
    return assertionFault(
      'issuer',
      'iss and sub of the client assertion must be this client.',
      said,
      [`iss and sub ${clientId}`],
    );
  }
  if (claims.aud !== issuer)
    return assertionFault(
      'audience',
      'The client assertion is for another server.',
      shownClaim(claims.aud),
      [issuer],
    );
  const wrong = assertionTimeFault(claims, longestLife, now);
  if (wrong) return wrong;
  const { jti } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > longestJti)
    return assertionFault(
      'jti',
      'The jti of the client assertion is missing or too long.',
      shownClaim(jti),
      [`text of 1 to ${longestJti} characters, a new one each time`],
    );
  const once = `client-assertion:${digest(JSON.stringify([clientId, jti]))}`;
  return { ...signed, once, keepUntil: rememberedUntil(signed.jwt) };
}

/** A kind of JWT with which clients authenticate, and the words of its faults. */
type SignedKind = {
  name: string;
  unreadable: string;
  wrongTyp: string;
  /** In lower case, without `application/`. */
  typs: readonly string[];
  expectedTyps: readonly string[];
  algs: readonly string[];
};

const ownAssertion = {
  name: 'the client assertion',
  unreadable: 'The client assertion is not a JWT that can be read.',
  wrongTyp: 'The typ of the JWT is not that of a client assertion.',
  // draft-ietf-oauth-rfc7523bis section 4
  typs: ['jwt', 'client-authentication+jwt'],
  expectedTyps: ['JWT'],
};

/** Reads a JWT, and checks its header. Nothing in it can be trusted yet. */
export function readSigned(
  text: string,
  { name, unreadable, wrongTyp, typs, expectedTyps, algs }: SignedKind,
): Pick<ReadAssertion, 'jwt' | 'alg' | 'kid'> | { fault: AssertionFault } {
  const jwt = readJwt(text);
  if (!jwt) return assertionFault('malformed', unreadable, text, ['a signed JWT without crit']);
  const { alg, typ, kid } = jwt.header;
  if (!isClientSigningAlg(alg) || !algs.includes(alg))
    return assertionFault('alg', `The signing algorithm of ${name} is not accepted.`, alg, algs);
  const isTyp =
    typeof typ === 'string' && typs.includes(typ.toLowerCase().replace(/^application\//, ''));
  if (typ !== undefined && !isTyp) return assertionFault('typ', wrongTyp, typ, expectedTyps);
  if (kid !== undefined && typeof kid !== 'string')
    return assertionFault('malformed', `kid in ${name} is not text.`, kid, ['text']);
  return { jwt, alg, kid };
}

/**
 * How long a used assertion must be remembered. After that, no process would accept it, as far as
 * their clocks may differ.
 */
export const rememberedUntil = ({ claims: { exp } }: UnverifiedJwt): Date =>
  new Date((Number(exp) + skew + rememberedBeyond) * 1000);

/**
 * FAPI 2.0 Security Profile section 5.3.2.1: a clock may be ahead by seconds, but not by a minute.
 * @param longest the maximum time until it may expire, in seconds
 */
export function assertionTimeFault(
  { exp, nbf, iat }: UnverifiedJwt['claims'],
  longest: number,
  now: Date,
): { fault: AssertionFault } | null {
  const at = now.getTime() / 1000;
  if (!isTime(exp))
    return assertionFault('expiry', 'The client assertion has no exp.', shownClaim(exp), [
      'exp, in seconds',
    ]);
  if (exp + skew <= at)
    return assertionFault(
      'expiry',
      'The client assertion has expired.',
      `${Math.ceil(at - exp)} s ago`,
      ['an exp in the future'],
    );
  if (exp - at > longest + skew)
    return assertionFault(
      'expiry',
      'The client assertion lives too long.',
      `${Math.ceil(exp - at)} s`,
      [`at most ${longest} s`],
    );
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time === undefined || (isTime(time) && time - at <= skew)) continue;
    const said = isTime(time) ? `in ${Math.ceil(time - at)} s` : shownClaim(time);
    return assertionFault('not-yet', `${name} of the client assertion is in the future.`, said, [
      'now',
    ]);
  }
  return null;
}

/**
 * Checks that one of the client's keys signed the assertion; null: one did.
 * @param keys all keys of the client
 */
export function signatureFault(
  { jwt, alg, kid }: ReadAssertion,
  keys: readonly ClientKey[],
): AssertionFault | null {
  const own = keys.map((key) => `kid ${shownClaim(key.kid ?? 'none')}`);
  const possible = keysFor(keys, { alg, kid });
  if (possible.length === 0)
    return assertionFault(
      'key',
      'No key of the client fits the client assertion.',
      `${alg}, kid ${shownClaim(kid ?? 'none')}`,
      own,
    ).fault;
  if (isSignedBy(jwt.text, alg, possible)) return null;
  return assertionFault(
    'signature',
    'The client assertion is not signed by a key of the client.',
    `${alg}, kid ${shownClaim(kid ?? 'none')}`,
    own,
  ).fault;
}

export const usedFault = (): AssertionFault =>
  assertionFault('used', 'The client assertion was used before.', 'a jti that was used before', [
    'a new jti for each request',
  ]).fault;

type Part =
  | 'malformed'
  | 'alg'
  | 'typ'
  | 'issuer'
  | 'audience'
  | 'claims'
  | 'expiry'
  | 'not-yet'
  | 'jti'
  | 'key'
  | 'signature'
  | 'used';

/** A fault in an assertion: the part, what was received and what was expected. */
export function assertionFault(
  part: Part,
  reason: string,
  received: unknown,
  expected: readonly string[],
): { fault: AssertionFault } {
  const rule: Rule = `client-assertion.${part}`;
  const facts =
    part === 'malformed' ? { rule, expected } : { rule, received: shownClaim(received), expected };
  return { fault: { reason, facts } };
}
