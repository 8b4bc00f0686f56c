import { config } from '../config.ts';
import { digest, newSecret } from '../oauth/secrets.ts';
import { isSetUpLinkLive, storeSetUpLink } from '../store/set-up-links.ts';

/** Milliseconds for which a set-up link works. */
export const setUpLinkLife = 24 * 3600_000;

/**
 * A new link to create the first admin; null if there is an admin already. It stops working once
 * used, once an admin is created in any other way, or after a day.
 */
export async function newSetUpLink(now: Date): Promise<string | null> {
  const token = newSecret('setUp');
  const stored = await storeSetUpLink(digest(token), new Date(now.getTime() + setUpLinkLife));
  return stored === 'stored' ? `${config().issuer}/setup?token=${token}` : null;
}

/** The digest of a working link's token; null if the link doesn't work. */
export async function openSetUpLink(
  token: string | null | undefined,
  now: Date,
): Promise<string | null> {
  if (!token || token.length > 200) return null;
  const hash = digest(token);
  return (await isSetUpLinkLive(hash, now)) ? hash : null;
}
