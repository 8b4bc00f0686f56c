import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
} from 'node:crypto';

/**
 * Seals the answer to a refresh so that only the holder of the old refresh token can read it:
 * AES-256-GCM under a key derived from that token. A token is used once, so the key seals once
 * and the nonce may be fixed.
 */
export function sealReplay(oldToken: string, answer: string): string {
  const cipher = createCipheriv('aes-256-gcm', replayKey(oldToken), nonce);
  return Buffer.concat([
    cipher.update(answer, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64url');
}

/** Opens what `sealReplay` made. @throws Error when the token is another or the text was changed */
export function openReplay(oldToken: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', replayKey(oldToken), nonce);
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString(
    'utf8',
  );
}

const nonce = Buffer.alloc(12);

/** The token has 256 random bits, so that one hash makes a key of it. */
function replayKey(token: string): KeyObject {
  // A key object seals twice as fast as a cipher that is given the bytes.
  return createSecretKey(hash('sha256', `gatehouse refresh replay ${token}`, 'buffer'));
}
