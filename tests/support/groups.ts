import { randomBytes } from 'node:crypto';
import { write } from '#lib/store/engine/database.ts';

/** Stores a group with these members and returns its id. */
export async function newGroup(...members: { id: string }[]): Promise<string> {
  const id = `group-${randomBytes(6).toString('hex')}`;
  await write(
    `INSERT INTO user_groups (id, name, name_key, created_at, updated_at)
      VALUES ($1, $1, $1, CAST($2 AS TIMESTAMPTZ), CAST($2 AS TIMESTAMPTZ))`,
    [id, new Date()],
  );
  for (const member of members)
    await write('INSERT INTO group_members (group_id, user_id, created_at) VALUES ($1, $2, $3)', [
      id,
      member.id,
      new Date(),
    ]);
  return id;
}
