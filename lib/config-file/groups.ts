import { groupActs } from '../management/group/acts.ts';
import { groupFields } from '../management/group/fields.ts';
import { findGroup, findGroupById } from '../store/groups.ts';
import type { Run } from './run.ts';

const placeOf = (field: string) => (field !== 'name' && field in groupFields ? [field] : []);

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
    const fields = { name, description: null, ...said };
    const group = found
      ? await run.perform(groupActs.update, { id: found.id, ...fields }, { path, placeOf })
      : await run.perform(groupActs.create, fields, { path, placeOf });
    if (group) await run.keep({ kind: 'group', key: group.id }, path, name, found !== null);
  }
}

export async function dropGroups(run: Run): Promise<void> {
  for (const id of run.dropped('group')) {
    const group = await findGroupById(id);
    if (group)
      await run.perform(groupActs.delete, { id }, { path: ['groups', group.name], placeOf });
    await run.letGoOf({ kind: 'group', key: id });
  }
}
