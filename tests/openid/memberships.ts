import { createField, deleteField } from '#lib/management/field/user-fields.ts';
import { createGroup, showGroup, updateGroup } from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { writeTogether } from '#lib/store/engine/database.ts';
import type { Statement } from '#lib/store/engine/statement.ts';
import { touchingMember } from '#lib/store/groups.ts';
import { normalKey } from '#lib/store/users.ts';

const actor = { id: 'cli' };

const idOf = async (name: string) => (await showGroup(name)).id;

/** Puts a person into groups. Groups that do not exist are created. */
export async function join(userId: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await createGroup({ name }, actor, new Date()).catch(() => null);
    await addMembers(await idOf(name), [userId], actor, new Date());
  }
}

/** The same for a large number of new groups, in one transaction. */
export async function joinMany(userId: string, names: readonly string[]): Promise<void> {
  const now = new Date();
  const statements = names.flatMap((name): Statement[] => {
    const id = newId(now);
    const group = `INSERT INTO user_groups (id, name, name_key, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`;
    const member = `INSERT INTO group_members (group_id, user_id, created_at) VALUES ($1, $2, $3)`;
    return [
      { sql: group, params: [id, name, normalKey(name), now] },
      { sql: member, params: [id, userId, now] },
    ];
  });
  const { sql, params } = touchingMember(userId, now);
  await writeTogether({ sql: `${sql} RETURNING id`, params }, statements);
}

export async function leave(userId: string, name: string): Promise<void> {
  await removeMembers(await idOf(name), [userId], actor, new Date());
}

export async function renameGroup(before: string, after: string): Promise<void> {
  await updateGroup(await idOf(before), { name: after }, { actor, now: new Date() });
}

/** Creates a field of people that is included with a scope. */
export async function newField(name: string, scope: string, type = 'text'): Promise<void> {
  await createField({ name, label: name, type, scope, editor: 'admin' }, actor, new Date());
}

export async function endField(name: string): Promise<void> {
  await deleteField(name, actor, new Date());
}

/** Gives a person a value for a field, as typed. */
export async function setField(userId: string, field: string, ...typed: string[]): Promise<void> {
  await updateUser(userId, { fields: { [field]: typed } }, actor, new Date());
}
