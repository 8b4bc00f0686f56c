import type { Api } from '../oauth/api.ts';
import { once } from '../once.ts';
import { prisma } from './prisma.ts';
import { RevisionCache } from './revision.ts';

/** An API as stored. */
export type ApiRecord = Api & { createdAt: Date; updatedAt: Date };

const cache = () => once('cache.apis', () => new RevisionCache<ApiRecord[]>(1));

/** All APIs as of a revision. */
export function apisAt(revision: number): Promise<ApiRecord[]> {
  return cache().get('all', revision, listApis);
}

/** All APIs, in the order in which they were made. */
export async function listApis(): Promise<ApiRecord[]> {
  const rows = await (await prisma()).api.findMany({
    include: {
      scopes: { orderBy: { position: 'asc' } },
      clients: { orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }] },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => {
    const clientsOf = (kind: string) =>
      row.clients.filter((one) => one.kind === kind).map(({ clientId }) => clientId);
    return {
      id: row.id,
      identifier: row.identifier,
      name: row.name,
      description: row.description,
      tokenFormat: row.tokenFormat as Api['tokenFormat'],
      accessTokenTtl: row.accessTokenTtl,
      access: row.access as Api['access'],
      scopes: row.scopes.map(({ name, description, translations }) => ({
        name,
        description,
        translations: JSON.parse(translations) as Record<string, string>,
      })),
      askedBy: clientsOf('asks'),
      servedBy: clientsOf('serves'),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  });
}
