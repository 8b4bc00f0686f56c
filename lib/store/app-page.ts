import { type AppLink, appLinks, eachLink } from '../oauth/app-links.ts';
import type { Client } from '../oauth/client.ts';
import { columnsOf } from './client-columns.ts';
import { type Columns, readOne } from './engine/database.ts';
import { pictureOf } from './logos.ts';

/**
 * What every page for people may show of an app. Nothing in it is optional, so that whoever makes
 * one decides about each part. The name is untrusted text.
 */
export type AppPage = Record<AppLink, string | undefined> & {
  id: string;
  name: string;
  /** An address on this server; images from other hosts are not loaded. */
  logo: string | undefined;
  /** `#rrggbb`, as an admin set it. */
  accent: string | undefined;
};

type Faced = Pick<Client, 'id' | 'name' | 'accent' | AppLink>;
type Pictured = Columns<'clients', 'origin' | 'recipe' | 'logo'>;

/** The columns of `clients` for an app page, in the table that a statement calls `c`. */
export const appColumns = [
  'name',
  'origin',
  'logo',
  ...columnsOf(['recipe', 'accent', ...appLinks]),
]
  .map((column) => `c.${column}`)
  .join(', ');
export type AppColumns = Omit<Faced, 'id'> & Pictured;

export const toAppPage = (client: Faced & Pictured): AppPage => ({
  id: client.id,
  name: client.name,
  ...eachLink((link) => client[link] ?? undefined),
  accent: client.accent ?? undefined,
  logo: pictureOf(client),
});

/** Reads the picture of an app that is known already. */
export async function readAppPage(client: Faced): Promise<AppPage> {
  const sql = 'SELECT origin, recipe, logo FROM clients WHERE id = :id';
  const row = await readOne<Pictured>(sql, { id: client.id });
  return toAppPage({ ...client, ...(row ?? { origin: 'admin', recipe: null, logo: null }) });
}
