import type { Api } from '../oauth/api.ts';
import { once } from '../once.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read } from './engine/database.ts';
import { RevisionCache } from './engine/revision.ts';

/** An API as stored. */
export type ApiRecord = Api & { createdAt: Date; updatedAt: Date };

const cache = () => once('cache.apis', () => new RevisionCache<ApiRecord[]>(1));

/** All APIs as of a revision. */
export function apisAt(revision: number): Promise<ApiRecord[]> {
  return cache().get('all', revision, listApis);
}

/** All APIs, in the order in which they were created. */
export async function listApis(): Promise<ApiRecord[]> {
  const [apis, scopes, clients] = await Promise.all([
    read<Columns<'apis'> & Pick<Api, 'tokenFormat' | 'access'>>(
      `SELECT ${allColumns('apis')} FROM apis ORDER BY created_at, id`,
      {},
    ),
    read<Columns<'api_scopes'>>(
      `SELECT ${allColumns('api_scopes')} FROM api_scopes ORDER BY api_id, position`,
      {},
    ),
    read<Columns<'api_clients'>>(
      `SELECT ${allColumns('api_clients')} FROM api_clients ORDER BY created_at, client_id`,
      {},
    ),
  ]);
  const scopesOf = Map.groupBy(scopes, ({ apiId: id }) => id);
  const clientsOf = Map.groupBy(clients, ({ apiId: id, kind }) => `${kind} ${id}`);
  return apis.map((row) => ({
    ...row,
    scopes: (scopesOf.get(row.id) ?? []).map(({ name, description, translations }) => ({
      name,
      description,
      translations: JSON.parse(translations) as Record<string, string>,
    })),
    askedBy: (clientsOf.get(`asks ${row.id}`) ?? []).map(({ clientId: id }) => id),
    servedBy: (clientsOf.get(`serves ${row.id}`) ?? []).map(({ clientId: id }) => id),
  }));
}
