import { z } from 'zod';
import { type Brand, type BrandPicture, brandPictures, holdBrand, plainBrand } from '../brand.ts';
import { once } from '../once.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';
import { RevisionCache, raising, readRevision } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/** What an admin has chosen, and the text it is stored as, to tell whether it has changed. */
export type StoredBrand = { brand: Brand; stored: string };

const row = 'BRANDING';
const value = z.object({
  name: z.string().nullable(),
  accent: z.string().nullable(),
  supportLink: z.string().nullable(),
  footerLinks: z.array(z.object({ label: z.string(), href: z.string() })),
  words: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string()))).default({}),
});

const cache = () => once('cache.branding', () => new RevisionCache<StoredBrand>(1));

/** Loads the branding that this process shows from now on. */
export async function readBranding(): Promise<StoredBrand> {
  const found = await cache().get('all', await readRevision(), load);
  holdBrand(found.brand);
  return found;
}

async function load(): Promise<StoredBrand> {
  const [setting] = await read<Columns<'settings', 'value'>>(
    'SELECT value FROM settings WHERE name = :row',
    { row },
  );
  const pictures = await read<Columns<'brand_logo', 'id' | 'hash'>>(
    'SELECT id, hash FROM brand_logo',
    {},
  );
  const hashes = new Map(pictures.map(({ id, hash }) => [id, hash]));
  const hashOf = (picture: BrandPicture) => hashes.get(brandPictures[picture]) ?? null;
  const stored = setting?.value ?? '';
  const chosen = value.safeParse(stored ? JSON.parse(stored) : null).data ?? plainBrand;
  const [logo, darkLogo, icon] = [hashOf('logo'), hashOf('darkLogo'), hashOf('icon')];
  return { brand: { ...chosen, logo, darkLogo, icon }, stored };
}

/** The row that stores a branding without its pictures, for `storeAll`. */
export function brandRow(brand: Omit<Brand, BrandPicture>): { name: string; value: string } {
  return { name: row, value: JSON.stringify(value.parse(brand)) };
}

type StoredPicture = Columns<'brand_logo', 'type' | 'bytes'>;

/** Replaces one of the server's pictures; null removes it, and with the logo the dark one. */
export async function storeBrandPicture(
  which: BrandPicture,
  picture: (StoredPicture & { hash: string }) | null,
  event: AuditEntry,
  now: Date,
): Promise<void> {
  const id = brandPictures[which];
  const dark = which === 'logo' ? brandPictures.darkLogo : id;
  const change: Statement = picture
    ? {
        sql: `INSERT INTO brand_logo (id, hash, type, bytes) VALUES (:id, :hash, :type, :bytes)
          ON CONFLICT (id) DO UPDATE SET hash = :hash, type = :type, bytes = :bytes RETURNING id`,
        params: { id, hash: picture.hash, type: picture.type, bytes: picture.bytes },
      }
    : { sql: 'DELETE FROM brand_logo WHERE id IN (:id, :dark) RETURNING id', params: { id, dark } };
  await writeTogether(change, [raising(), auditing(event, now)]);
}

/** One of the server's pictures, if it still has this hash. */
export async function findBrandPicture(hash: string): Promise<StoredPicture | null> {
  const [found] = await read<StoredPicture>(
    'SELECT type, bytes FROM brand_logo WHERE hash = :hash',
    { hash },
  );
  return found ?? null;
}
