import { timingSafeEqual } from 'node:crypto';
import { type Mac, macWith } from './mac.ts';
import { prefixes } from './secrets.ts';

/*
 * Codes and tokens are not stored. Each contains the id of its authorization, and a MAC proves that
 * this server made it:
 *
 *   prefix base64url( key id 2 | kind 1 | authorization id 16 | counter 4 | expiry 6 | life 4 | detail … | MAC 18 )
 *
 * The detail of a token that is bound to a key (RFC 9449) begins with a tab and the key's
 * thumbprint. Numbers are big-endian. The MAC is the first 144 bits of HMAC-SHA-256 over everything
 * before it.
 */

/** The kinds of token. The MAC covers the number, so that no kind can pass for another. */
const kinds = { code: 1, accessToken: 2, refreshToken: 3, clientToken: 4, siteToken: 5 } as const;
export type TokenKind = keyof typeof kinds;

const prefixOf: Record<TokenKind, string> = {
  code: prefixes.code,
  accessToken: prefixes.accessToken,
  refreshToken: prefixes.refreshToken,
  // Stands for a client, not a user, but need not look different to its holder.
  clientToken: prefixes.accessToken,
  siteToken: prefixes.siteToken,
};

/**
 * The contents of a token. They are trusted only once the MAC has been checked. Whether the token
 * still works depends on its row.
 */
export type Token = {
  kind: TokenKind;
  /** The authorization that it belongs to, as 32 hex characters; a client token has its own id. */
  id: string;
  /** In a refresh token, the rotation it belongs to; in a site token, the sign-ins just before it. */
  counter: number;
  expiresAt: Date;
  /** Seconds from issue to expiry; 0 where it is not needed. */
  life: number;
  /**
   * In an access token, the result of `accessDetail`; '' means everything that the authorization
   * has. In a client token, its client, scope and audience. In a site token, the site.
   */
  detail: string;
  /** The thumbprint of the key it is bound to (RFC 9449 section 6); null: its holder may use it. */
  jkt: string | null;
};

/** A token whose MAC was right, and the key that made it. */
export type OpenedToken = Token & { keyId: number };

/** A key that makes and checks tokens. Each token contains its key's id. */
export type TokenKey = { id: number; mac: Mac };

export function tokenKey(id: number, bytes: Uint8Array): TokenKey {
  return { id, mac: macWith(bytes) };
}

const macLength = 18;
const detailAt = 33;
/** The maximum length of a token, which must fit into a form field. */
export const longestToken = 8000;

/** Makes a token with these contents. The same values and key give the same token. */
export function makeToken(token: Token, key: TokenKey): string {
  const detail = Buffer.from(boundDetail(token), 'utf8');
  const bytes = Buffer.allocUnsafe(detailAt + detail.length + macLength);
  bytes.writeUInt16BE(key.id, 0);
  bytes.writeUInt8(kinds[token.kind], 2);
  if (bytes.write(token.id, 3, 16, 'hex') !== 16) throw new Error('An id has 32 hex characters.');
  bytes.writeUInt32BE(token.counter, 19);
  bytes.writeUIntBE(token.expiresAt.getTime(), 23, 6);
  bytes.writeUInt32BE(token.life, 29);
  detail.copy(bytes, detailAt);
  const end = bytes.length - macLength;
  bytes.write(key.mac(bytes.subarray(0, end)), end, macLength, 'latin1');
  return prefixOf[token.kind] + bytes.toString('base64url');
}

/**
 * Reads a token that was made with one of these keys; null for anything else. 'unknown-key': it
 * looks like a token, but its key is not among them.
 */
export function verifyToken(
  text: string,
  keys: ReadonlyMap<number, TokenKey>,
): OpenedToken | 'unknown-key' | null {
  const bytes = bytesOf(text);
  if (!bytes) return null;
  const number = bytes[2];
  const kind = (Object.keys(kinds) as TokenKind[]).find((name) => kinds[name] === number);
  if (!kind || !text.startsWith(prefixOf[kind])) return null;
  const key = keys.get(bytes.readUInt16BE(0));
  if (!key) return 'unknown-key';
  const end = bytes.length - macLength;
  const mac = Buffer.from(key.mac(bytes.subarray(0, end)).slice(0, macLength), 'latin1');
  if (!timingSafeEqual(mac, bytes.subarray(end))) return null;
  return {
    kind,
    keyId: key.id,
    id: bytes.toString('hex', 3, 19),
    counter: bytes.readUInt32BE(19),
    expiresAt: new Date(bytes.readUIntBE(23, 6)),
    life: bytes.readUInt32BE(29),
    ...readBoundDetail(bytes.toString('utf8', detailAt, end)),
  };
}

/** No other detail begins with this character. */
const boundMark = '\t';
const thumbprintLength = 43;

const boundDetail = ({ detail, jkt }: Token) => (jkt === null ? detail : boundMark + jkt + detail);

function readBoundDetail(text: string): Pick<Token, 'detail' | 'jkt'> {
  if (!text.startsWith(boundMark)) return { detail: text, jkt: null };
  const end = boundMark.length + thumbprintLength;
  return { jkt: text.slice(boundMark.length, end), detail: text.slice(end) };
}

/** The bytes after the prefix; null if they are too few, too many, or not canonically encoded. */
function bytesOf(text: string): Buffer | null {
  if (text.length > longestToken) return null;
  const encoded = text.slice(text.indexOf('_', 3) + 1);
  const bytes = Buffer.from(encoded, 'base64url');
  // The decoder skips characters outside its alphabet. A token must have one spelling only, or
  // another spelling would escape a revocation.
  return bytes.length >= detailAt + macLength && bytes.toString('base64url') === encoded
    ? bytes
    : null;
}

/** What a token allows, and the identifiers of its APIs; empty: no API in particular. */
export type Reach = { scope: string; audience: readonly string[] };

/**
 * The detail of an access token that reaches less far than its authorization: the scope and, if
 * there is an audience, the audience on a second line.
 */
export function accessDetail({ scope, audience }: Reach): string {
  return audience.length > 0 ? `${scope}\n${audience.join(' ')}` : scope;
}

/** Reads the result of `accessDetail`. @param whole the authorization's reach */
export function readAccessDetail(detail: string, whole: Reach): Reach {
  if (detail === '') return whole;
  const [scope = '', audience] = detail.split('\n');
  return { scope, audience: audience?.split(' ') ?? whole.audience };
}

/** The contents of a client token besides its times: the client, the client's epoch, its reach. */
type ClientTokenDetail = Reach & { clientId: string; clientEpoch: number };

export function clientTokenDetail(detail: ClientTokenDetail): string {
  const { clientId, clientEpoch, scope, audience } = detail;
  const reach = audience.length > 0 ? [scope, audience.join(' ')] : [scope];
  return JSON.stringify([clientId, clientEpoch, ...reach]);
}

/** Reads the result of `clientTokenDetail`. */
export function readClientTokenDetail(detail: string): ClientTokenDetail {
  const [clientId, clientEpoch, scope, audience] = JSON.parse(detail) as ClientTokenValues;
  return { clientId, clientEpoch, scope, audience: audience?.split(' ') ?? [] };
}

type ClientTokenValues = [string, number, string, string?];
