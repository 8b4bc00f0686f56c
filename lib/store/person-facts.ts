import { type Columns, date, type Joined, type Moment, read } from './engine/database.ts';
import { inList } from './engine/parameters.ts';

/** What a list says of a user beside the account. */
export type PersonFacts = {
  /** Has an authenticator app. */
  totp: boolean;
  passkeys: number;
  /** Sign-in is stopped until then, after wrong tries. */
  lockedUntil: Date | null;
};

const locked = `SELECT MAX(l.blocked_until) FROM throttles l WHERE l.user_id = u.id AND l.blocked_until > :now`;
const passkeys = 'SELECT count(*) FROM passkeys p WHERE p.user_id = u.id';

type FactsRow = Columns<'users', 'id'> & { passkeys: number } & Joined<{
    totp: string;
    lockedUntil: Moment;
  }>;

/** The facts of these users, by id. */
export async function factsOfPeople(
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, PersonFacts>> {
  if (ids.length === 0) return new Map();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT u.id, (${passkeys}) AS passkeys, t.user_id AS totp, (${locked}) AS locked_until
    FROM users u LEFT JOIN totp_secrets t ON t.user_id = u.id WHERE u.id IN (${marks})`;
  const rows = await read<FactsRow>(sql, { now, ...params });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        totp: row.totp !== null,
        passkeys: row.passkeys,
        lockedUntil: row.lockedUntil === null ? null : date(row.lockedUntil),
      },
    ]),
  );
}
