import { hash } from 'node:crypto';

/** Gives the 32 bytes of the MAC of a message, each as one character (`latin1`). */
export type Mac = (message: Uint8Array) => string;

const block = 64;
const digestLength = 32;

/**
 * HMAC-SHA-256 (RFC 2104 section 2) with one key. `createHmac` makes an object and two buffers for
 * each message, which takes longer than the digests; here both are one call each, and give text.
 * @param key at most 64 bytes
 */
export function macWith(key: Uint8Array): Mac {
  if (key.length > block) throw new Error(`The key has ${key.length} bytes, over ${block}.`);
  const outer = Buffer.alloc(block + digestLength, 0x5c);
  let inner = Buffer.alloc(block + 512, 0x36);
  for (const [at, byte] of key.entries()) {
    outer[at] = byte ^ 0x5c;
    inner[at] = byte ^ 0x36;
  }
  return (message) => {
    const end = block + message.length;
    if (inner.length < end) inner = Buffer.concat([inner], end);
    inner.set(message, block);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), block, 'latin1');
    return hash('sha256', outer, 'binary');
  };
}
