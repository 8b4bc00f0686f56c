import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { config } from '../config.ts';
import { deriveKey } from '../sealed/seal.ts';

/** A file does not open, or is not a backup; the message is for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * The scrypt work factor for a derived passphrase of 256 random bits, and for one chosen by a
 * person.
 */
const work = { derived: 4, chosen: 17 };

// Loaded on first use: it takes 8 MB.
const age = () => import('age-encryption');

const derivedFrom = (secret: string) =>
  Buffer.from(deriveKey(secret, 'backup')).toString('base64url');

/**
 * Compresses and encrypts text into a file in the format of age (age-encryption.org/v1), under a
 * passphrase or, without one, a key derived from the server secret.
 */
export async function encryptInto(
  text: AsyncIterable<string>,
  file: Writable,
  passphrase: string | null,
): Promise<void> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(passphrase === null ? work.derived : work.chosen);
  encrypter.setPassphrase(passphrase ?? derivedFrom(config().serverSecrets[0] ?? ''));
  const packed = Readable.from(text).compose(createGzip());
  const sealed = await encrypter.encrypt(
    Readable.toWeb(packed) as globalThis.ReadableStream<Uint8Array>,
  );
  await pipeline(Readable.fromWeb(sealed as ReadableStream), file);
}

/**
 * Decrypts the text of a file that `encryptInto` wrote.
 * @throws BackupError if no passphrase opens the file, or it is not such a file. Reading the result
 * fails if the file was cut off or changed
 */
export async function decrypted(file: Readable, passphrase: string | null): Promise<Readable> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  const passphrases = passphrase === null ? config().serverSecrets.map(derivedFrom) : [passphrase];
  for (const each of passphrases) decrypter.addPassphrase(each);
  try {
    const plain = await decrypter.decrypt(
      Readable.toWeb(file) as unknown as globalThis.ReadableStream<Uint8Array>,
    );
    const unpacking = createGunzip();
    const unpacked = Readable.fromWeb(plain as ReadableStream).compose(unpacking);
    // A reader who stops early breaks both off; whoever reads on gets the error from the reading.
    for (const stream of [unpacking, unpacked]) stream.on('error', () => {});
    return unpacked;
  } catch (cause) {
    throw new BackupError(closed(cause, passphrase), { cause });
  }
}

function closed(cause: unknown, passphrase: string | null): string {
  if (/no identity|passphrase/i.test(String(cause)))
    return passphrase === null
      ? 'This backup does not open with the secret of this server. If it was made with a passphrase, give it with --passphrase; else put the secret of the server that made it into SERVER_SECRET.'
      : 'This backup does not open with this passphrase.';
  return 'This file is no backup of Gatehouse, or it is damaged at its beginning.';
}
