import { createPrivateKey, type KeyObject, sign as signNow } from 'node:crypto';
import { promisify } from 'node:util';
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { config } from '../config.ts';
import { longestJwtLife } from '../oauth/api.ts';
import { jwtType, plainJwtType, readJwtClaims } from '../oauth/jwt-access-token.ts';
import { isOwnIssuer } from '../oauth/old-issuer.ts';
import { schemes } from '../oauth/signed-jwt.ts';
import type { Token } from '../oauth/tokens.ts';
import { once } from '../once.ts';
import { wrongSecret } from '../sealed/seal.ts';
import { sealed } from '../sealed/sealed.ts';
import { apisAt } from '../store/apis.ts';
import {
  deleteRetiredKeys,
  type KeyRow,
  keysAt,
  listKeys,
  resealKey,
  type SigningAlg,
  signingAlgs,
  storeKey,
} from '../store/keys.ts';

const day = 24 * 3600_000;
/** Age at which keys are replaced. */
const rotateAfter = 90 * day;
/** Seconds clients may cache the key set. */
export const keySetCacheable = 300;
/** Published before it signs, until every cached key set without it has expired. */
export const publishedBeforeSigning = (keySetCacheable + 60) * 1000;
/**
 * A retired key stays published until its tokens have expired: it keeps signing for some minutes,
 * and clocks differ.
 */
const publishedAfterRetiring = longestJwtLife * 1000 + 3600_000;
/** How long a retired key still verifies: a client may send an old ID token as a sign-out hint. */
const keptAfterRetiring = 400 * day;

export const sealedKey = sealed(
  'key',
  z.custom<JWK>((value) => typeof value === 'object' && value !== null && 'kty' in value),
  { max: 20_000 },
);

const imported = () => once('signing-keys', () => new Map<string, Promise<KeyObject>>());

/**
 * Creates missing keys, replaces old ones, and checks that the server secret opens the existing
 * ones. Called at every start and daily.
 * @throws ConfigError when it does not
 */
export async function ensureSigningKeys(now: Date): Promise<void> {
  const keys = await listKeys();
  for (const key of keys.filter((row) => row.retiredAt === null)) await checkSeal(key);
  for (const alg of signingAlgs) {
    const current = keys.find((key) => key.alg === alg && key.retiredAt === null);
    if (!current || now.getTime() - current.createdAt.getTime() > rotateAfter)
      await makeKey(alg, keys, now);
  }
  await deleteRetiredKeys(new Date(now.getTime() - keptAfterRetiring));
}

/**
 * Rotates the keys of every algorithm. The old ones keep signing for the few minutes in which
 * clients may not know the new ones, and stay published while anything they signed may be valid.
 */
export async function rotateSigningKeys(now: Date): Promise<string[]> {
  const keys = await listKeys();
  const made = await Promise.all(signingAlgs.map((alg) => makeKey(alg, keys, now)));
  return made.filter((kid) => kid !== null);
}

/** Creates the successor of a key about to be removed, unless that key no longer signs. */
export async function replaceSigningKey({ alg, retiredAt }: KeyRow, now: Date): Promise<void> {
  if (retiredAt === null) await makeKey(alg, await listKeys(), now);
}

/** Opens the private half of a key. @throws ConfigError when the server secret does not open it */
async function openPrivate(key: KeyRow): Promise<JWK> {
  const jwk = await sealedKey.open(key.sealedPrivate);
  if (jwk) return jwk;
  throw wrongSecret('signing keys');
}

async function checkSeal(key: KeyRow): Promise<void> {
  const jwk = await openPrivate(key);
  if (!sealedKey.isCurrent(key.sealedPrivate)) await resealKey(key.kid, await sealedKey.seal(jwk));
}

async function makeKey(alg: SigningAlg, existing: KeyRow[], now: Date): Promise<string | null> {
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  const publicJwk = await exportJWK(pair.publicKey);
  const privateJwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const generation =
    Math.max(0, ...existing.filter((key) => key.alg === alg).map((key) => key.generation)) + 1;
  const sealedPrivate = await sealedKey.seal(privateJwk);
  const row = {
    kid,
    alg,
    generation,
    publicJwk: JSON.stringify(publicJwk),
    sealedPrivate,
    createdAt: now,
  };
  return (await storeKey(row)) ? kid : null;
}

/** The public key set (RFC 7517). */
export async function publicKeySet(revision: number, now: Date): Promise<{ keys: JWK[] }> {
  const published = (await readKeys(revision, now)).filter(
    (key) =>
      key.retiredAt === null || now.getTime() - key.retiredAt.getTime() < publishedAfterRetiring,
  );
  return {
    keys: published.map((key) => ({
      ...JSON.parse(key.publicJwk),
      kid: key.kid,
      alg: key.alg,
      use: 'sig',
    })),
  };
}

/** The keys, created on demand where our own start didn't run (`next start`, serverless hosts). */
async function readKeys(revision: number, now: Date): Promise<KeyRow[]> {
  const keys = await keysAt(revision);
  if (keys.some((key) => key.retiredAt === null)) return keys;
  await ensureSigningKeys(now);
  return listKeys();
}

/**
 * The newest key that clients already know. The very first key signs immediately, and so does the
 * successor of a revoked one: a key replaced long ago never signs again.
 */
function signingKey(newestFirst: KeyRow[], alg: string, now: Date): KeyRow | undefined {
  const since = (moment: Date) => now.getTime() - moment.getTime();
  const keys = newestFirst.filter(
    ({ alg: own, retiredAt }) =>
      own === alg && (retiredAt === null || since(retiredAt) < publishedBeforeSigning),
  );
  return keys.find(({ createdAt }) => since(createdAt) >= publishedBeforeSigning) ?? keys.at(-1);
}

/** Signs claims. `typ` keeps one kind of token from being accepted as another. */
export type Signer = (claims: Record<string, unknown>, typ: string) => Promise<string>;

/**
 * The signer for an algorithm at a given time. A broken key fails here, before anything is signed.
 */
export async function signerFor(alg: string, revision: number, now: Date): Promise<Signer> {
  const key = signingKey(await readKeys(revision, now), alg, now);
  if (!key) throw new Error(`There is no signing key for ${alg}.`);
  const keys = imported();
  let privateKey = keys.get(key.kid);
  if (!privateKey) {
    privateKey = openPrivate(key).then((jwk) => createPrivateKey({ key: jwk, format: 'jwk' }));
    keys.set(key.kid, privateKey);
  }
  const opened = await privateKey;
  return async (claims, typ) => {
    const text = `${encoded({ alg, kid: key.kid, typ })}.${encoded(claims)}`;
    const signature = await signText(text, key.alg, opened);
    return `${text}.${signature.toString('base64url')}`;
  };
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const signElsewhere = promisify(signNow);

/**
 * RSA takes eight times as long as an elliptic curve, so another thread does it. To hand over the
 * other would cost as much as to sign.
 */
function signText(text: string, alg: SigningAlg, privateKey: KeyObject): Buffer | Promise<Buffer> {
  const { digest, how } = schemes[alg];
  const key = { key: privateKey, ...how };
  const sign = alg === 'RS256' ? signElsewhere : signNow;
  return sign(digest, Buffer.from(text), key);
}

export async function sign(
  claims: Record<string, unknown>,
  { alg, typ }: { alg: string; typ: string },
  revision: number,
  now: Date,
): Promise<string> {
  return (await signerFor(alg, revision, now))(claims, typ);
}

/** The claims of what this server signed with this `typ`, even expired; else null. */
async function readSigned(
  token: string,
  typ: string,
  revision: number,
  now: Date,
): Promise<JWTPayload | null> {
  try {
    const keys = await readKeys(revision, now);
    const { payload } = await jwtVerify(
      token,
      ({ kid, alg }) => {
        const key = keys.find((row) => row.kid === kid && row.alg === alg);
        if (!key) throw new Error('unknown key');
        return importJWK(JSON.parse(key.publicJwk), key.alg);
      },
      {
        algorithms: [...signingAlgs],
        typ,
        currentDate: new Date(0),
      },
    );
    return isOwnIssuer(payload.iss, config().issuer) ? payload : null;
  } catch {
    return null;
  }
}

/**
 * The content of a JWT access token of this server (RFC 9068 section 4); null for anything else, ID
 * tokens above all. Only one base64url spelling of the signature is accepted (RFC 4648 section
 * 3.5).
 */
export async function readJwtAccessToken(
  text: string,
  revision: number,
  now: Date,
): Promise<Token | null> {
  const signature = text.slice(text.lastIndexOf('.') + 1);
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return null;
  if (!isPlain(text)) return readJwtClaims(await readSigned(text, jwtType, revision, now));
  const claims = await readSigned(text, plainJwtType, revision, now);
  return claims && (await wantsPlain(claims.aud, revision)) ? readJwtClaims(claims) : null;
}

function isPlain(text: string): boolean {
  try {
    return decodeProtectedHeader(text).typ === plainJwtType;
  } catch {
    return false;
  }
}

/** Whether the audience is an API that asked for this type; nothing else has it. */
async function wantsPlain(audience: JWTPayload['aud'], revision: number): Promise<boolean> {
  const apis = await apisAt(revision);
  return apis.some(
    ({ identifier, tokenFormat }) => identifier === audience && tokenFormat === 'plain-jwt',
  );
}

/** The sign-in that one of our unexpired ID tokens describes. */
type ToldSignIn = { sub: string; aud: string; authTime: Date };

/** Reads an ID token this server issued that has not expired; null for anything else. */
export async function readIdToken(
  token: string,
  revision: number,
  now: Date,
): Promise<ToldSignIn | null> {
  const claims = (await readSigned(token, 'JWT', revision, now)) ?? {};
  const { sub, aud, exp, auth_time: authTime } = claims;
  if (typeof sub !== 'string' || typeof aud !== 'string' || typeof authTime !== 'number')
    return null;
  // Access tokens of some APIs have this type too; only they have a client_id.
  if ('client_id' in claims || typeof exp !== 'number' || exp * 1000 <= now.getTime()) return null;
  return { sub, aud, authTime: new Date(authTime * 1000) };
}

/** The claims we read from one of our ID tokens. */
export type IdTokenHint = { sub: string; aud: string; sid: string | undefined };

/** Reads an ID token this server issued, expired or not; null for anything else. */
export async function readIdTokenHint(
  token: string,
  revision: number,
  now: Date,
): Promise<IdTokenHint | null> {
  // A hint may have expired: only signature and audience count (OpenID Connect RP-Initiated Logout
  // section 2).
  const claims = (await readSigned(token, 'JWT', revision, now)) ?? {};
  const { sub, aud, sid } = claims;
  // Access tokens of some APIs have this type too; only they have a client_id.
  if (typeof sub !== 'string' || typeof aud !== 'string' || 'client_id' in claims) return null;
  return { sub, aud, sid: typeof sid === 'string' ? sid : undefined };
}
