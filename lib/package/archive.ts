import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { SetupError } from '../tooling/child.mjs';

/**
 * Packs a folder into an archive beside it. The same files give the same bytes, regardless of who
 * packs them and in which order they were written.
 * @param time seconds since 1970, set as the time of every file
 * @returns the archive
 * @throws SetupError if tar or xz is missing
 */
export async function packFolder(folder: string, time: number): Promise<string> {
  const archive = `${folder}.tar.xz`;
  const args = [
    '--create',
    '--file',
    archive,
    '--format=ustar',
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
    '--use-compress-program=xz --threads=2 -6',
    '-C',
    dirname(folder),
    basename(folder),
  ];
  try {
    await promisify(execFile)('tar', args);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new SetupError(
      `The archive could not be made: ${stderr?.trim() || message}. It takes GNU tar and xz.`,
    );
  }
  return archive;
}

/**
 * Writes the checksums of archives beside them, in the format of `sha256sum --check`, and signs
 * that file if a key is given.
 */
export async function writeSums(archives: readonly string[], keyFile?: string): Promise<string[]> {
  const lines = [];
  for (const file of archives) lines.push(`${await sumOf(file)}  ${basename(file)}\n`);
  const sums = resolve(dirname(archives[0] ?? ''), 'SHA256SUMS');
  writeFileSync(sums, lines.join(''));
  return keyFile ? [sums, signed(sums, keyFile)] : [sums];
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws SetupError if the file holds no private Ed25519 key in PEM */
function signed(file: string, keyFile: string): string {
  try {
    const key = createPrivateKey(readFileSync(keyFile));
    if (key.asymmetricKeyType !== 'ed25519')
      throw new Error(`it is a key for ${key.asymmetricKeyType}`);
    writeFileSync(`${file}.sig`, sign(null, readFileSync(file), key));
  } catch (error) {
    throw new SetupError(
      `PACKAGE_KEY_FILE is ${keyFile}, which is no private Ed25519 key in PEM (${(error as Error).message}). "openssl genpkey -algorithm ed25519" makes one.`,
    );
  }
  return `${file}.sig`;
}
