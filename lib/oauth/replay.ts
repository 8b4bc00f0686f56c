import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/**
 * Seals the answer to a refresh so that only the holder of the old refresh token can read it:
 * AES-256-GCM under a key derived from that token. A token is used once, so the key seals once
 * and the nonce may be fixed.
 */
export function sealReplay(oldToken: string, answer: string): string {
  const cipher = createCipheriv('aes-256-gcm', replayKey(oldToken), nonce);
  return Buffer.concat([cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Opens what `sealReplay` made. @throws Error when the token is another or the text was changed */
export function openReplay(oldToken: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', replayKey(oldToken), nonce);
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

const nonce = Buffer.alloc(12);

function replayKey(token: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', token, '', 'gatehouse refresh replay', 32));
}
