'use server';

import { redirect } from 'next/navigation';
import { importActs } from '#lib/management/import/acts.ts';
import { decodeList } from '#lib/management/import/decode.ts';
import { textOf } from '../../act.ts';
import { doing } from '../../doing.ts';
import { groupsIn } from '../../groups/read.ts';

/** Reads what was pasted or uploaded, and leads to what would become of it. */
export const readPeople = doing(
  importActs.read,
  async (form) => {
    const file = form.get('file');
    const isFile = file instanceof File && file.size > 0;
    const list = isFile
      ? decodeList(new Uint8Array(await file.arrayBuffer()))
      : textOf(form, 'list');
    return { list };
  },
  ({ id }) => redirect(`/admin/people/import/${encodeURIComponent(id)}`),
);

export const invitePeople = doing(
  importActs.start,
  (form) => ({
    id: textOf(form, 'id'),
    columns: textOf(form, 'columns').split(','),
    groups: groupsIn(form),
    note: textOf(form, 'note').trim() || undefined,
    leave_out_wrong: form.has('leave_out_wrong'),
  }),
  ({ id }) => redirect(`/admin/people/batches/${encodeURIComponent(id)}`),
);
