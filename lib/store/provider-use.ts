import { read } from './engine/database.ts';

/** How many people have linked a provider, and signed in by it since. */
export type ProviderUse = { people: number; recent: number };

/** The use of each provider that somebody has linked, by its id. */
export async function readProviderUse(since: Date): Promise<ReadonlyMap<string, ProviderUse>> {
  const sql = `SELECT provider_id, COUNT(*) AS people,
      SUM(CASE WHEN last_used_at >= :since THEN 1 ELSE 0 END) AS recent
    FROM identities GROUP BY provider_id`;
  const rows = await read<{ providerId: string; people: number; recent: number }>(sql, { since });
  return new Map(
    rows.map(({ providerId, people, recent }) => [
      providerId,
      { people: Number(people), recent: Number(recent) },
    ]),
  );
}
