'use server';

import { groupActs } from '#lib/management/group/acts.ts';
import { showGroup } from '#lib/management/group/groups.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';

const personIn = (form: FormData) => textOf(form, 'id');
const pageOf = (id: string) => `/admin/people/${encodeURIComponent(id)}`;

/** Adds a person to a group given by name or ID. */
export const addPersonToGroup = doing(
  groupActs.addMembers,
  async (form) => {
    const key =
      textOf(form, 'group').trim() || refuseAdmin('group', sentence('groups.ofPersonChoose'));
    return { id: (await showGroup(key)).id, people: [personIn(form)] };
  },
  ({ name }, form) => doneAt(pageOf(personIn(form)), 'groups.joined', { name }),
);

export const removePersonFromGroup = doing(
  groupActs.removeMembers,
  (form) => ({ id: textOf(form, 'group'), people: [personIn(form)] }),
  (_, form) => doneAt(pageOf(personIn(form)), 'groups.left'),
);
