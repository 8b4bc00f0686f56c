import { z } from 'zod';
import { type Brand, holdBrand, plainBrand } from '../brand.ts';
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
  const [logo] = await read<Columns<'brand_logo', 'hash'>>(
    'SELECT hash FROM brand_logo WHERE id = 1',
    {},
  );
  const stored = setting?.value ?? '';
  const chosen = value.safeParse(stored ? JSON.parse(stored) : null).data ?? plainBrand;
  return { brand: { ...chosen, logo: logo ? logo.hash : null }, stored };
}

/** The row that stores a branding without its logo, for `storeAll`. */
export function brandRow({ logo: _, ...brand }: Brand): { name: string; value: string } {
  return { name: row, value: JSON.stringify(value.parse(brand)) };
}

type BrandLogo = Columns<'brand_logo', 'type' | 'bytes'>;

/** Replaces the server's logo; null removes it. */
export async function storeBrandLogo(
  logo: (BrandLogo & { hash: string }) | null,
  event: AuditEntry,
  now: Date,
): Promise<void> {
  const change: Statement = logo
    ? {
        sql: `INSERT INTO brand_logo (id, hash, type, bytes) VALUES (1, :hash, :type, :bytes)
          ON CONFLICT (id) DO UPDATE SET hash = :hash, type = :type, bytes = :bytes RETURNING id`,
        params: { hash: logo.hash, type: logo.type, bytes: logo.bytes },
      }
    : { sql: 'DELETE FROM brand_logo WHERE id = 1 RETURNING id', params: {} };
  await writeTogether(change, [raising(), auditing(event, now)]);
}

/** The server's logo, if it still has this hash. */
export async function findBrandLogo(hash: string): Promise<BrandLogo | null> {
  const [found] = await read<BrandLogo>('SELECT type, bytes FROM brand_logo WHERE hash = :hash', {
    hash,
  });
  return found ?? null;
}
