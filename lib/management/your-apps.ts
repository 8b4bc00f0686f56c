import { config } from '../config.ts';
import { initiateLoginAt } from '../oauth/initiate-login.ts';
import { listUsableApps, type UsableApp } from '../store/usable-apps.ts';

/** An app to open: where its link leads, if it says where it begins. */
export type YourApp = Omit<UsableApp, 'homePage' | 'initiateLoginUri'> & { start?: string };

/** So many are shown; of more, those that a search finds. */
export const mostApps = 48;

/**
 * The apps that somebody may use, each with the address that opens it: where a sign-in to it begins,
 * with this issuer and their username, else its home page, which is told nothing.
 */
export async function listYourApps(
  user: { id: string; username: string },
  search = '',
): Promise<{ rows: YourApp[]; more: boolean }> {
  const sought = search.trim().slice(0, 100);
  const { rows, more } = await listUsableApps(user.id, { search: sought, limit: mostApps });
  return { rows: rows.map((app) => ({ ...shown(app), ...startOf(app, user) })), more };
}

function shown({ homePage: _, initiateLoginUri: __, ...app }: UsableApp) {
  return app;
}

function startOf(
  { homePage, initiateLoginUri }: UsableApp,
  { username }: { username: string },
): { start?: string } {
  const start = initiateLoginUri
    ? initiateLoginAt(initiateLoginUri, config().issuer, username)
    : homePage;
  return start ? { start } : {};
}
