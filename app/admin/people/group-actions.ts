'use server';

import { groupWithId, showGroup } from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

const pageOf = (id: string) => `/admin/people/${encodeURIComponent(id)}`;

/** Puts a person into a group, named by name or id. */
export async function addPersonToGroup(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const user = textOf(form, 'id');
    const key = textOf(form, 'group').trim() || refuseAdmin('group', words.ofPersonChoose);
    const { id, name } = await showGroup(key);
    await addMembers(id, [user], actor, now);
    return doneAt(pageOf(user), words.joined(name));
  });
}

export async function removePersonFromGroup(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const user = textOf(form, 'id');
    const { id } = await groupWithId(textOf(form, 'group'));
    await removeMembers(id, [user], actor, now);
    return doneAt(pageOf(user), words.left);
  });
}
