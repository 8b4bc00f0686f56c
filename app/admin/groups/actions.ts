'use server';

import { redirect } from 'next/navigation';
import { groupActs } from '#lib/management/group/acts.ts';
import { groupFields } from '#lib/management/group/fields.ts';
import { groupWithId } from '#lib/management/group/groups.ts';
import { findUserId } from '#lib/management/user/users.ts';
import { doneAt, textOf } from '../act.ts';
import { doing, textsIn } from '../doing.ts';
import { hrefOf } from '../ui/href.ts';
import { endIn } from '../ui/last-day.ts';

const pageOf = (id: string) => `/admin/groups/${encodeURIComponent(id)}`;
const idIn = (form: FormData) => textOf(form, 'group');
const fieldsIn = (form: FormData) => textsIn(form, groupFields);

export const addGroup = doing(groupActs.create, fieldsIn, ({ id, name }) =>
  doneAt(pageOf(id), 'groups.created', { name }),
);

/** Renames a group, possibly to a name that apps trust. */
export const saveGroup = doing(
  groupActs.update,
  (form) => ({ id: idIn(form), ...fieldsIn(form) }),
  ({ id }) => doneAt(pageOf(id), 'groups.saved'),
  { seenNow: async (form) => String((await groupWithId(idIn(form))).updatedAt.getTime()) },
);

export const removeGroup = doing(
  groupActs.delete,
  (form) => ({ id: idIn(form) }),
  ({ name }) => doneAt('/admin/groups', 'groups.deleted', { name }),
);

/**
 * Adds the named people. A single text that is no one's name leads to the people who could be
 * meant.
 */
export const addGroupMembers = doing(
  groupActs.addMembers,
  async (form) => {
    const { id } = await groupWithId(idIn(form));
    const end = endIn(form);
    const people = textOf(form, 'person').split(/[,\n]/);
    const [only = ''] = people.map((key) => key.trim()).filter(Boolean);
    if (only && people.length === 1 && (await findUserId(only)) === null)
      redirect(`${hrefOf(pageOf(id), { find: only.slice(0, 200), ends: end ?? '' })}#add`);
    return { id, people, ...(form.has('ends_at') && { ends_at: end }) };
  },
  ({ id, added }, form) =>
    added.length > 0
      ? doneAt(pageOf(id), 'groups.added', { count: added.length })
      : doneAt(pageOf(id), endIn(form) ? 'groups.dated' : 'groups.alreadyAll'),
);

export const removeGroupMember = doing(
  groupActs.removeMembers,
  (form) => ({ id: idIn(form), people: [textOf(form, 'user')] }),
  ({ id }) => doneAt(pageOf(id), 'groups.removed'),
);
