import { config } from '../config.ts';
import { initiateLoginAt } from '../oauth/initiate-login.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { leadsHome } from '../oauth/places.ts';
import { readAppOrder, storeAppOrder } from '../store/app-order.ts';
import { findClient } from '../store/clients.ts';
import { listUsableApps, type UsableApp } from '../store/usable-apps.ts';

/** An app to open, with the address of its link if it has one. */
export type YourApp = Omit<UsableApp, 'origin' | 'homePage' | 'initiateLoginUri' | 'oldIssuer'> & {
  start?: string;
  /** The user chose its place. */
  placed: boolean;
};

/** The maximum number of apps that are shown. A search finds the others. */
export const mostApps = 48;

/**
 * The apps that a user may use, each with the address that opens it: where a sign-in to it begins,
 * with this issuer and the username, or else its home page, which receives neither.
 */
export async function listYourApps(
  user: { id: string; username: string },
  search = '',
): Promise<{ rows: YourApp[]; more: boolean }> {
  const sought = search.trim().slice(0, 100);
  const order = await readAppOrder(user.id);
  const { rows, more } = await listUsableApps(user.id, { search: sought, limit: mostApps, order });
  const followable = (await Promise.all(rows.map(followed))).filter((app) => app !== null);
  const placed = new Set(order);
  const toShow = (app: UsableApp) => ({
    ...shown(app),
    ...startOf(app, user),
    placed: placed.has(app.clientId),
  });
  return { rows: followable.map(toShow), more };
}

/** These ids, if they may use the apps. An empty list restores the order by use. */
export async function orderYourApps(
  user: { id: string; username: string },
  clientIds: readonly string[],
): Promise<void> {
  const usable = new Set((await listYourApps(user)).rows.map(({ clientId }) => clientId));
  const known = clientIds.filter((id) => usable.has(id));
  await storeAppOrder(user.id, [...new Set(known)].slice(0, mostApps));
}

/**
 * An app, with only those addresses that people may be sent to: an app that registered itself may
 * only lead to its own place. Null if the app is not found, as when its host is blocked.
 */
async function followed(app: UsableApp): Promise<UsableApp | null> {
  if (app.origin === 'admin') return app;
  const client = await findClient(app.clientId);
  if (!client) return null;
  const own = (uri = '') => (uri && leadsHome(client, uri) ? uri : undefined);
  const { homePage, initiateLoginUri } = app;
  return { ...app, homePage: own(homePage), initiateLoginUri: own(initiateLoginUri) };
}

function shown({
  origin: _,
  homePage: __,
  initiateLoginUri: ___,
  oldIssuer: ____,
  ...app
}: UsableApp) {
  return app;
}

function startOf(
  { homePage, initiateLoginUri, oldIssuer }: UsableApp,
  { username }: { username: string },
): { start?: string } {
  const start = initiateLoginUri
    ? initiateLoginAt(initiateLoginUri, issuerKnownTo({ oldIssuer }, config().issuer), username)
    : homePage;
  return start ? { start } : {};
}
