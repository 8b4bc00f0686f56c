'use server';

import { redirect } from 'next/navigation';
import {
  createGroup,
  deleteGroup,
  groupWithId,
  updateGroup,
} from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import { findUserId } from '#lib/management/users.ts';
import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { hrefOf } from '../ui/pager.tsx';

const pageOf = (id: string) => `/admin/groups/${encodeURIComponent(id)}`;

export async function addGroup(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { id, name } = await createGroup(readGroup(form), actor, now);
    return doneAt(pageOf(id), words.created(name));
  });
}

/** A new name may be one that apps trust. */
export async function saveGroup(_: FormState, form: FormData): Promise<FormState> {
  const id = textOf(form, 'group');
  const work = async ({ actor, now, demandFresh }: Acting) => {
    await groupWithId(id);
    const seen = new Date(Number(textOf(form, 'seen')));
    await updateGroup(id, readGroup(form), actor, now, seen, demandFresh);
    return doneAt(pageOf(id), words.saved);
  };
  return act('admin', form, work, async () => String((await groupWithId(id)).updatedAt.getTime()));
}

export async function removeGroup(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { name } = await deleteGroup(await idIn(form), actor, now);
    return doneAt('/admin/groups', words.deleted(name));
  });
}

/** Adds those who are named; a single text that is nobody's name leads to those who may be meant. */
export async function addGroupMembers(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const id = await idIn(form);
    const keys = textOf(form, 'person').split(/[,\n]/);
    const [only = ''] = keys.map((key) => key.trim()).filter(Boolean);
    if (only && keys.length === 1 && (await findUserId(only)) === null)
      redirect(`${hrefOf(pageOf(id), { find: only.slice(0, 200) })}#add`);
    const { done } = await addMembers(id, keys, actor, now);
    return doneAt(pageOf(id), done.length > 0 ? words.added(done.length) : words.alreadyAll);
  });
}

export async function removeGroupMember(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const id = await idIn(form);
    await removeMembers(id, [textOf(form, 'user')], actor, now);
    return doneAt(pageOf(id), words.removed);
  });
}

/** The id in a form is one: it names no group by its name. */
async function idIn(form: FormData): Promise<string> {
  return (await groupWithId(textOf(form, 'group'))).id;
}

const readGroup = (form: FormData) => ({
  name: textOf(form, 'name'),
  description: textOf(form, 'description'),
});
