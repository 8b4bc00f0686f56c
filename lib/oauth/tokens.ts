import { timingSafeEqual } from 'node:crypto';
import { type Mac, macWith } from './mac.ts';
import { prefixes } from './secrets.ts';

/*
 * Codes and tokens are not stored. Each says which authorization it belongs to, and a MAC proves
 * that this server made it:
 *
 *   prefix base64url( key id 2 | kind 1 | authorization id 16 | counter 4 | expiry 6 | life 4 | detail … | MAC 18 )
 *
 * The detail of a token that is bound to a key (RFC 9449) begins with a tab and the key's thumbprint.
 * Numbers are big-endian. The MAC is the first 144 bits of HMAC-SHA-256 over all that stands before it.
 */

/** What a token is for. The number is part of what the MAC covers, so that no kind passes for another. */
const kinds = { code: 1, accessToken: 2, refreshToken: 3, clientToken: 4 } as const;
export type TokenKind = keyof typeof kinds;

const prefixOf: Record<TokenKind, string> = {
  code: prefixes.code,
  accessToken: prefixes.accessToken,
  refreshToken: prefixes.refreshToken,
  // Stands for a client and no user; who holds it need not know.
  clientToken: prefixes.accessToken,
};

/** What a token says. It is believed only after its MAC was checked; whether it still works, its row tells. */
export type Token = {
  kind: TokenKind;
  /** The authorization it belongs to, as 32 hex characters; of a client token its own. */
  id: string;
  /** Of a refresh token, which rotation it is of. */
  counter: number;
  expiresAt: Date;
  /** Seconds from issue to expiry; 0 where nobody asks for it. */
  life: number;
  /**
   * Of an access token what `accessDetail` wrote, '' for all that the authorization has. Of a client
   * token its client, its scope and its audience.
   */
  detail: string;
  /** The thumbprint of the key that it is bound to (RFC 9449 section 6); null: whoever has it may use it. */
  jkt: string | null;
};

/** A token whose MAC was right, and the key that made it. */
export type OpenedToken = Token & { keyId: number };

/** A key with which tokens are made and checked; its id stands in each of them. */
export type TokenKey = { id: number; mac: Mac };

/** The key made of these bytes. */
export function tokenKey(id: number, bytes: Uint8Array): TokenKey {
  return { id, mac: macWith(bytes) };
}

const macLength = 18;
const detailAt = 33;
/** A form field may have so many bytes, and each token has to fit into one. */
export const longestToken = 8000;

/** Makes the token that says this. The same values and key give the same token. */
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
 * looks like a token, of a key that is not among them.
 */
export function openToken(
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

/** No other detail begins with it. */
const boundMark = '\t';
const thumbprintLength = 43;

const boundDetail = ({ detail, jkt }: Token) => (jkt === null ? detail : boundMark + jkt + detail);

function readBoundDetail(text: string): Pick<Token, 'detail' | 'jkt'> {
  if (!text.startsWith(boundMark)) return { detail: text, jkt: null };
  const end = boundMark.length + thumbprintLength;
  return { jkt: text.slice(boundMark.length, end), detail: text.slice(end) };
}

/** The bytes behind the prefix; null when there are too few or too many, or when they could be written in another way. */
function bytesOf(text: string): Buffer | null {
  if (text.length > longestToken) return null;
  const encoded = text.slice(text.indexOf('_', 3) + 1);
  const bytes = Buffer.from(encoded, 'base64url');
  // The decoder skips what is none of its letters; a token has one spelling, so that one revoked is revoked.
  return bytes.length >= detailAt + macLength && bytes.toString('base64url') === encoded
    ? bytes
    : null;
}

/** What a token allows, and the identifiers of the APIs it is for; none: for none in particular. */
export type Reach = { scope: string; audience: readonly string[] };

/**
 * What an access token says of a reach that is narrower than its authorization's: the scope, and,
 * where it has an audience, that on a line of its own.
 */
export function accessDetail({ scope, audience }: Reach): string {
  return audience.length > 0 ? `${scope}\n${audience.join(' ')}` : scope;
}

/** Reads what `accessDetail` wrote. @param whole the authorization's */
export function readAccessDetail(detail: string, whole: Reach): Reach {
  if (detail === '') return whole;
  const [scope = '', audience] = detail.split('\n');
  return { scope, audience: audience?.split(' ') ?? whole.audience };
}

/** What a client token says beside its times: whose it is, in which epoch, and its reach. */
type ClientTokenDetail = Reach & { clientId: string; clientEpoch: number };

export function clientTokenDetail(detail: ClientTokenDetail): string {
  const { clientId, clientEpoch, scope, audience } = detail;
  const reach = audience.length > 0 ? [scope, audience.join(' ')] : [scope];
  return JSON.stringify([clientId, clientEpoch, ...reach]);
}

/** Reads what `clientTokenDetail` wrote. */
export function readClientTokenDetail(detail: string): ClientTokenDetail {
  const [clientId, clientEpoch, scope, audience] = JSON.parse(detail) as ClientTokenValues;
  return { clientId, clientEpoch, scope, audience: audience?.split(' ') ?? [] };
}

type ClientTokenValues = [string, number, string, string?];
