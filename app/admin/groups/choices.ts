import { listGroups } from '#lib/management/group/groups.ts';

/** As many as can be looked through. */
const most = 30;

/** All groups where they are few, or null: then they are named. */
export async function groupChoices(): Promise<{ id: string; name: string }[] | null> {
  const { rows, next } = await listGroups({ limit: most });
  return next ? null : rows.map(({ id, name }) => ({ id, name }));
}
