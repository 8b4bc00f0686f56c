import { type GroupSaid, groupFields } from '../management/group/fields.ts';
import { createGroup, deleteGroup, updateGroup } from '../management/group/groups.ts';
import { findGroup, findGroupById } from '../store/groups.ts';
import type { Run } from './run.ts';

export async function applyGroups(run: Run): Promise<void> {
  for (const [name, said] of Object.entries(run.content.groups ?? {})) {
    const path = ['groups', name];
    const found = await findGroup(name);
    if (found === 'several') {
      run.fault(
        path,
        'This is the id of one group and the name of another. Rename that one first.',
      );
      continue;
    }
    const change: Required<GroupSaid> = { name, description: said?.description ?? null };
    const group = await run.attempt(
      path,
      () =>
        found
          ? updateGroup(found.id, change, { actor: run.actor, now: run.now() })
          : createGroup(change, run.actor, run.now()),
      (field) => (field !== 'name' && field in groupFields ? [field] : []),
    );
    if (group) await run.keep({ kind: 'group', key: group.id }, path, name, found !== null);
  }
}

export async function dropGroups(run: Run): Promise<void> {
  for (const id of run.dropped('group')) {
    const group = await findGroupById(id);
    if (group)
      await run.attempt(
        ['groups', group.name],
        () => deleteGroup(id, run.actor, run.now()),
        () => [],
      );
    await run.letGoOf({ kind: 'group', key: id });
  }
}
