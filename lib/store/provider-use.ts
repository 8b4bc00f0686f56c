import { config } from '../config.ts';
import { read } from './engine/database.ts';
import { rpIdOf } from './passkeys.ts';
import { anotherWay } from './ways.ts';

/**
 * How many people have linked a provider, how many of them signed in with it since, and how many
 * have no other way to sign in.
 */
export type ProviderUse = { people: number; recent: number; only: number };

/** The use of each provider that anyone has linked, by its id. */
export async function readProviderUse(since: Date): Promise<ReadonlyMap<string, ProviderUse>> {
  const sql = `SELECT i.provider_id, COUNT(DISTINCT i.user_id) AS people,
      COUNT(DISTINCT CASE WHEN i.last_used_at >= :since THEN i.user_id END) AS recent,
      COUNT(DISTINCT CASE WHEN NOT ${anotherWay('i.user_id', 'o.provider_id <> i.provider_id')} THEN i.user_id END) AS only_way
    FROM identities i GROUP BY i.provider_id`;
  type Row = { providerId: string; people: number; recent: number; onlyWay: number };
  const rows = await read<Row>(sql, { since, rpId: rpIdOf(config().issuer) });
  return new Map(
    rows.map(({ providerId, people, recent, onlyWay }) => [
      providerId,
      { people: Number(people), recent: Number(recent), only: Number(onlyWay) },
    ]),
  );
}
