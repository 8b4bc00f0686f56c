import { hash } from 'node:crypto';

/** Computes the MAC of a message: 32 bytes, each as one character (`latin1`). */
export type Mac = (message: Uint8Array) => string;

const block = 64;
const digestLength = 32;

/**
 * HMAC-SHA-256 (RFC 2104 section 2) with one key. `createHmac` creates an object and a buffer for
 * each message, which takes longer than hashing it. Here each of the two digests is one call that
 * returns a string.
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
