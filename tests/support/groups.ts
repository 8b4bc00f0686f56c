import { randomBytes } from 'node:crypto';
import { write } from '#lib/store/engine/database.ts';

/** Stores a group with these members and returns its id. */
export async function newGroup(...members: { id: string }[]): Promise<string> {
  const id = `group-${randomBytes(6).toString('hex')}`;
  await storeGroup(id, id, members);
  return id;
}

/** Stores a group with a name that people chose, and returns its id. */
export async function namedGroup(name: string, ...members: { id: string }[]): Promise<string> {
  const id = `g-${name}-${Date.now()}`;
  await storeGroup(id, name, members);
  return id;
}

async function storeGroup(id: string, name: string, members: { id: string }[]): Promise<void> {
  const now = new Date();
  await write(
    `INSERT INTO user_groups (id, name, name_key, created_at, updated_at)
      VALUES ($1, $2, $3, CAST($4 AS TIMESTAMPTZ), CAST($4 AS TIMESTAMPTZ))`,
    [id, name, name.toLowerCase(), now],
  );
  for (const member of members)
    await write('INSERT INTO group_members (group_id, user_id, created_at) VALUES ($1, $2, $3)', [
      id,
      member.id,
      now,
    ]);
}
