import { config } from '../config.ts';
import { initiateLoginAt } from '../oauth/initiate-login.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { leadsHome } from '../oauth/places.ts';
import { readAppOrder, storeAppOrder } from '../store/app-order.ts';
import { findClient } from '../store/clients.ts';
import { listUsableApps, type UsableApp } from '../store/usable-apps.ts';

/** An app to open: where its link leads, if it says where it begins. */
export type YourApp = Omit<UsableApp, 'origin' | 'homePage' | 'initiateLoginUri' | 'oldIssuer'> & {
  start?: string;
  /** They gave it its place. */
  placed: boolean;
};

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

/**
 * Gives somebody's apps an order of their own: these ids, as far as they are apps they may use. None
 * restores the order by use.
 */
export async function orderYourApps(
  user: { id: string; username: string },
  clientIds: readonly string[],
): Promise<void> {
  const usable = new Set((await listYourApps(user)).rows.map(({ clientId }) => clientId));
  const known = clientIds.filter((id) => usable.has(id));
  await storeAppOrder(user.id, [...new Set(known)].slice(0, mostApps));
}

/**
 * An app with those of its addresses that people are sent to: one that registered itself leads to its
 * own place only. null: its host is blocked.
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
