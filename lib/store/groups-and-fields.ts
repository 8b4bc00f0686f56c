import { type FurtherFacts, type Granted, needsFurtherFacts } from '../oauth/operator-claims.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { fieldsAt } from './user-fields.ts';

/*
 * Groups and custom fields of a user, for the few clients that receive them. They are read after
 * the token. A change to them raises `users.updated_at` or the revision, so an answer made from
 * them is thrown away with the token it was made for. They are in no order: groups are sorted when
 * they are sent, and fields become the names of an object.
 */

const select = `
  SELECT u.created_at, t.kind, t.name, t.scope, t.value FROM users u LEFT JOIN (
    SELECT 'group' AS kind, m.user_id, g.name, NULL AS scope, NULL AS value
      FROM group_members m JOIN user_groups g ON g.id = m.group_id WHERE m.user_id = :userId
    UNION ALL
    SELECT 'field', v.user_id, f.name, f.scope, v.value
      FROM user_field_values v JOIN user_fields f ON f.name = v.field WHERE v.user_id = :userId
  ) t ON t.user_id = u.id WHERE u.id = :userId`;

type Row = Columns<'users', 'createdAt'> &
  Joined<{ kind: 'group' | 'field'; name: string; scope: string; value: string }>;

/** All of them, in one statement; null if there is no such user. */
export async function findFurtherFacts(userId: string): Promise<FurtherFacts | null> {
  const rows = await read<Row>(select, { userId });
  const [first] = rows;
  if (!first) return null;
  return {
    groups: rows.flatMap(({ kind, name }) => (kind === 'group' && name !== null ? [name] : [])),
    fields: rows.flatMap(({ kind, name, scope, value }) =>
      kind === 'field' && name !== null && scope !== null && value !== null
        ? [{ name, scope, value: JSON.parse(value) as unknown }]
        : [],
    ),
    registeredAt: first.createdAt,
  };
}

/**
 * What a client receives about a user besides the standard claims. Null, without a statement, if it
 * receives nothing of the kind.
 */
export async function furtherFactsFor(
  userId: string,
  granted: Granted,
  revision: number,
  shape?: Parameters<typeof needsFurtherFacts>[2],
): Promise<FurtherFacts | null> {
  const fieldScopes = new Set((await fieldsAt(revision)).map(({ scope }) => scope));
  return needsFurtherFacts(granted, fieldScopes, shape) ? findFurtherFacts(userId) : null;
}
