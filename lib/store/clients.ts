import type { Client } from '../oauth/client.ts';
import { once } from '../once.ts';
import { logoAt } from './logos.ts';
import { prisma } from './prisma.ts';
import { RevisionCache, readRevision } from './revision.ts';

const cache = () => once('cache.clients', () => new RevisionCache<Client | null>(10_000));

/** The client as of a revision, or null. */
export function clientAt(revision: number, id: string): Promise<Client | null> {
  return cache().get(id, revision, () => loadClient(id));
}

/** The client as it is now, or null. */
export async function findClient(id: string): Promise<Client | null> {
  return clientAt(await readRevision(), id);
}

async function loadClient(id: string): Promise<Client | null> {
  const db = await prisma();
  const row = await db.client.findUnique({
    where: { id },
    include: { addresses: { orderBy: { position: 'asc' } }, secrets: true },
  });
  if (!row) return null;
  return {
    id: row.id,
    name: row.name,
    type: row.type === 'public' ? 'public' : 'confidential',
    grants: row.grants.split(' '),
    scopes: row.scopes === null ? null : row.scopes.split(' ').filter(Boolean),
    redirectUris: urisOf(row.addresses, 'redirect'),
    postLogoutUris: urisOf(row.addresses, 'post_logout'),
    backchannelLogoutUri: row.backchannelLogoutUri,
    secretHashes: row.secrets.map((secret) => secret.hash),
    requirePkce: row.requirePkce,
    requireClientAuthOnRefresh: row.requireClientAuthOnRefresh,
    firstParty: row.firstParty,
    resourceServer: row.resourceServer,
    sendIss: row.sendIss,
    idTokenAlg: row.idTokenAlg,
    accessTokenTtl: row.accessTokenTtl,
    refreshTokenTtl: row.refreshTokenTtl,
    refreshTokenMaxTtl: row.refreshTokenMaxTtl,
    disabled: row.disabledAt !== null,
    epoch: row.epoch,
  };
}

function urisOf(addresses: { kind: string; uri: string }[], kind: 'redirect' | 'post_logout'): string[] {
  return addresses.filter((address) => address.kind === kind).map((address) => address.uri);
}

/** How an app presents itself to people. */
export type AppPage = { name: string; homePage?: string; privacyLink?: string; termsLink?: string; logo?: string };

export async function readAppPage(client: Pick<Client, 'id' | 'name'>): Promise<AppPage> {
  const row = await (await prisma()).client.findUnique({ where: { id: client.id } });
  return {
    name: client.name,
    homePage: row?.homePage ?? undefined,
    privacyLink: row?.privacyLink ?? undefined,
    termsLink: row?.termsLink ?? undefined,
    logo: logoAt(client.id, row?.logo),
  };
}
