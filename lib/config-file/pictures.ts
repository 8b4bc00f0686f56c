import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BrandPicture, brandPictures } from '../brand.ts';
import { readLogo } from '../management/client/logos.ts';
import { drawnAs, logoFaults, logoHash, pictureLimits } from '../management/pictures.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { sentence } from '../messages/sentence.ts';
import type { Source } from './read.ts';
import { inFile } from './schema.ts';

/** The pictures that a file names, each as it was read; null removes the present one. */
export type Pictures = ReadonlyMap<string, Promise<Uint8Array | null>>;

/**
 * Reads and draws all pictures that the file names, ahead of its transaction. What is wrong with
 * one is said where it is used.
 * @param stored the hashes of pictures, from `readLogoHashes`; they are not drawn again where they
 *   are used already
 */
export async function readPictures(
  { content, folder }: Source,
  stored: ReadonlyMap<string, string>,
): Promise<Pictures> {
  const pictures = new Map<string, Promise<Uint8Array | null>>();
  for (const { id, said, use } of picturesOf(content)) {
    const reading = pictures.get(said) ?? read(folder, said);
    pictures.set(said, reading);
    const draw = async () => {
      const bytes = await reading;
      if (bytes && !isStored(bytes, stored.get(id) ?? null)) await readLogo(bytes, use);
    };
    await draw().catch(() => {});
  }
  return pictures;
}

type Named = { id: string; said: string; use: 'logo' | 'icon' };

/** The pictures that a file names, each with where it is used. */
function picturesOf({ branding = {}, apps = {} }: Source['content']): Named[] {
  const own = (Object.keys(brandPictures) as BrandPicture[]).map((which) => ({
    id: `/${brandPictures[which]}`,
    said: (branding as Record<string, unknown>)[inFile(which)],
    use: drawnAs(which),
  }));
  const ofApps = Object.entries(apps as Record<string, { logo?: string }>).map(
    ([id, { logo: said }]) => ({ id, said, use: 'logo' as const }),
  );
  return [...own, ...ofApps].filter((named): named is Named => named.said !== undefined);
}

/** The run of an apply. */
type Attempting = {
  pictures: Pictures;
  attempt<T>(path: string[], work: () => Promise<T>): Promise<T | undefined>;
};

/**
 * Makes a logo the picture that the file names; `before` is the hash of the present one.
 * @param change sets the picture, or removes it if there is none
 */
export async function settlePicture(
  run: Attempting,
  path: string[],
  { said, before, use }: { said: string | undefined; before: string | null; use: 'logo' | 'icon' },
  change: (picture: Uint8Array | null) => Promise<unknown>,
): Promise<void> {
  if (said === undefined) return;
  const isNew = async (bytes: Uint8Array | null) => {
    if (bytes === null) return before !== null;
    return !isStored(bytes, before) && (await readLogo(bytes, use)).hash !== before;
  };
  const named = await run.attempt(path, async () => {
    const bytes = (await run.pictures.get(said)) ?? null;
    return { bytes, isNew: await isNew(bytes) };
  });
  if (named?.isNew) await change(named.bytes);
}

/** @throws AdminRefusal */
async function read(folder: string, said: string): Promise<Uint8Array | null> {
  if (said === 'none') return null;
  const path = resolve(folder, said);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) refuseAdmin('logo', sentence('refused.picture.noFile', { path }));
  if (size > pictureLimits.logoBytes) refuseAdmin('logo', logoFaults.heavy);
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return refuseAdmin('logo', sentence('refused.picture.unreadable', { path, code }));
  }
}

/** Whether a file is identical to the stored picture, as an exported one is. */
const isStored = (bytes: Uint8Array, hash: string | null) => logoHash(bytes) === hash;
