import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { ConfigError, config } from '../config.ts';
import { digest } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { ownSecretIn } from '../settings/data-folder.ts';

type Key = { id: string; bytes: Uint8Array };

/** One key per purpose and server secret, the current one first. */
function keys(purpose: string): Key[] {
  const cache = once('seal-keys', () => new Map<string, Key[]>());
  let held = cache.get(purpose);
  if (!held) {
    held = config().serverSecrets.map((secret) => ({
      id: secretId(secret),
      bytes: deriveKey(secret, purpose),
    }));
    cache.set(purpose, held);
  }
  return held;
}

/**
 * The keys for a purpose other than sealing, one per server secret, the current one first. A purpose
 * stands in one file of the code only, and none is that of a seal.
 */
export const derivedKeys = (purpose: string): Uint8Array[] =>
  keys(purpose).map(({ bytes }) => bytes);

/** A short id that tells server secrets apart and reveals nothing about them. */
export const secretId = (secret: string) => digest(`kid ${secret}`).slice(0, 6);

/** Derives 32 bytes for one purpose from a server secret (RFC 5869). */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `gatehouse ${purpose}`, 32));
}

/**
 * Encrypts and authenticates a value (JWE, `dir` with A256GCM), so only this server can create or
 * read it.
 */
export async function seal(purpose: string, value: unknown): Promise<string> {
  const [key] = keys(purpose);
  if (!key) throw new Error('There is no server secret.');
  const plain = new TextEncoder().encode(JSON.stringify(value));
  return new CompactEncrypt(plain)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.id })
    .encrypt(key.bytes);
}

/** Opens what `seal` made for this purpose; null for anything else. */
export async function unseal(purpose: string, text: string): Promise<unknown> {
  for (const key of keys(purpose)) {
    try {
      const { plaintext } = await compactDecrypt(text, key.bytes, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return JSON.parse(new TextDecoder().decode(plaintext));
    } catch {
      // Sealed with another key, or not one of our seals.
    }
  }
  return null;
}

/** Whether a value is sealed with the current server secret rather than a previous one. */
export function isSealedWithCurrent(purpose: string, text: string): boolean {
  return decodeProtectedHeader(text).kid === keys(purpose)[0]?.id;
}

/** The error for keys in the database that don't open. */
export function wrongSecret(keys: 'signing keys' | 'token keys'): ConfigError {
  return new ConfigError(
    `SERVER_SECRET is not the one that the ${keys} in this database are sealed with. ` +
      `Restore it (${ownSecretIn(config().dataDir)}, or SERVER_SECRET), or give the old one as SERVER_SECRET_PREVIOUS.`,
  );
}
