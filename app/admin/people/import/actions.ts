'use server';

import { redirect } from 'next/navigation';
import { importActs } from '#lib/import/acts.ts';
import { decodeList } from '#lib/import/decode.ts';
import { formats } from '#lib/import/names.ts';
import { knownOption } from '../../../params.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';
import { groupsIn } from '../../groups/read.ts';

/** Reads the pasted or uploaded list, and leads to a page that shows what would happen to it. */
export const readPeople = doing(
  importActs.read,
  async (form) => ({ list: (await fileIn(form)) ?? textOf(form, 'list') }),
  ({ id }) => redirect(`/admin/people/import/${encodeURIComponent(id)}`),
);

export const invitePeople = doing(
  importActs.start,
  (form) => ({
    id: textOf(form, 'id'),
    columns: textOf(form, 'columns').split(','),
    groups: groupsIn(form),
    language: textOf(form, 'language') || undefined,
    note: textOf(form, 'note').trim() || undefined,
    leave_out_wrong: form.has('leave_out_wrong'),
  }),
  ({ id }) => redirect(`/admin/people/batches/${encodeURIComponent(id)}`),
);

/** Reads another program's file, and leads to a page that shows what would happen to its people. */
export const readProgramFile = doing(
  importActs.readFile,
  async (form) => ({
    from: knownOption(formats, textOf(form, 'from')) ?? 'csv',
    file: (await fileIn(form)) ?? '',
    hash_parameters: textOf(form, 'hash_parameters').trim() || undefined,
    realm: textOf(form, 'realm').trim() || undefined,
  }),
  ({ id }) => redirect(`/admin/people/import/program/${encodeURIComponent(id)}`),
);

export const bringPeople = doing(
  importActs.moveIn,
  (form) => ({
    id: textOf(form, 'id'),
    leave_out: form.has('leave_out'),
    slow_sign_ins: form.has('slow_sign_ins'),
    old_issuer: form.has('old_issuer') ? textOf(form, 'old_issuer_path') : undefined,
  }),
  ({ come, apps }) => doneAt('/admin/people', 'move.done', { count: come, apps: apps.length }),
);

async function fileIn(form: FormData): Promise<string | undefined> {
  const file = form.get('file');
  const isFile = file instanceof File && file.size > 0;
  return isFile ? decodeList(new Uint8Array(await file.arrayBuffer())) : undefined;
}
