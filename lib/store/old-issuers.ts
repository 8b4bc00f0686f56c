import { once } from '../once.ts';
import { read } from './engine/database.ts';
import { RevisionCache } from './engine/revision.ts';

const cache = () => once('cache.old-issuers', () => new RevisionCache<ReadonlySet<string>>(1));

/** Paths of the issuers under which clients still know this server, as of a revision. */
export function oldIssuersAt(revision: number): Promise<ReadonlySet<string>> {
  return cache().get('all', revision, async () => {
    const sql =
      'SELECT DISTINCT old_issuer AS path FROM clients WHERE old_issuer IS NOT NULL ORDER BY old_issuer';
    return new Set((await read<{ path: string }>(sql, {})).map(({ path }) => path));
  });
}
