import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * This server's nonces for DPoP proofs (RFC 9449 sections 8 and 9). Each names a minute, and a MAC
 * proves that this server made it. So nothing is stored, and every process recognises the nonces of
 * the others.
 *
 *   base64url( minute 4 | the first 128 bits of HMAC-SHA-256 over it )
 */

/** Milliseconds. */
const step = 60_000;
/** A nonce is valid in its own minute and for this many minutes after it. */
const stepsGood = 4;
/** Minutes for which a nonce is valid at most; docs/guides/strong-clients.md states it in words. */
export const nonceMinutes = stepsGood + 1;
const macLength = 16;
const form = /^[A-Za-z0-9_-]{27}$/;

export function nonceAt(now: Date, key: Uint8Array): string {
  return nonceOf(Math.floor(now.getTime() / step), key).toString('base64url');
}

/** Whether one of these keys made a nonce in the last minutes. Clocks may differ by one minute. */
export function isNonce(text: string, keys: readonly Uint8Array[], now: Date): boolean {
  if (!form.test(text)) return false;
  const sent = Buffer.from(text, 'base64url');
  const minute = sent.readUInt32BE(0);
  const age = Math.floor(now.getTime() / step) - minute;
  if (age < -1 || age > stepsGood) return false;
  return keys.some((key) => timingSafeEqual(nonceOf(minute, key), sent));
}

function nonceOf(minute: number, key: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + macLength);
  bytes.writeUInt32BE(minute, 0);
  const mac = createHmac('sha256', key).update(bytes.subarray(0, 4)).digest();
  mac.copy(bytes, 4, 0, macLength);
  return bytes;
}
