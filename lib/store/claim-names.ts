import { isReservedClaim } from '../oauth/reserved-claims.ts';
import { positionIn, readOne } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue } from './engine/statement.ts';

/*
 * A claim is either a field of people or set for one client (its groups, a constant), never both. A
 * change that adds either one raises the revision and looks for the other once more.
 */

type Condition = { sql: string; params: Readonly<Record<string, SqlValue>> };

/** SQL: a row of clients has its groups or a constant in this claim. */
export function namingClaim(name: string): Condition {
  // Names are stored in JSON as they are written here. Within a text each quotation mark is
  // escaped, so only a name can match.
  const sql = `(groups_claim = :claim OR ${positionIn("',' || substr(constant_claims, 2)", ':claimInJson')} > 0)`;
  return { sql, params: { claim: name, claimInJson: `,${JSON.stringify(name)}:` } };
}

/** The id of a client that has its groups or a constant in this claim; null: there is none. */
export async function findClientNaming(name: string): Promise<string | null> {
  const { sql, params } = namingClaim(name);
  const first = `SELECT id FROM clients WHERE ${sql} ORDER BY id LIMIT 1`;
  return (await readOne<{ id: string }>(first, params))?.id ?? null;
}

/** Those of these claims that could be fields of people. */
export const possibleFields = (names: readonly string[]) =>
  names.filter((name) => !isReservedClaim(name));

/** SQL: none of these claims is a field of people. */
export function namingNoField(claims: readonly string[]): Condition {
  const names = possibleFields(claims);
  if (names.length === 0) return { sql: '1 = 1', params: {} };
  const { marks, params } = inList('claim', names);
  return { sql: `NOT EXISTS (SELECT 1 FROM user_fields WHERE name IN (${marks}))`, params };
}
