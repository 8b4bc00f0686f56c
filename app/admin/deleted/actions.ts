'use server';

import { deletionActs } from '#lib/management/deletion/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing } from '../doing.ts';

const idIn = (form: FormData) => ({ id: textOf(form, 'id') });

/** Puts back what was deleted, and leads to it. */
export const putBack = doing(deletionActs.restore, idIn, ({ kind, subject, name }) =>
  doneAt(pageOf(kind, subject), 'deleted.isBack', { name }),
);

export const deleteForGood = doing(deletionActs.end, idIn, ({ name }) =>
  doneAt('/admin/deleted', 'deleted.ended', { name }),
);

function pageOf(kind: string, subject: string): string {
  if (kind === 'client') return clientPage(subject);
  return `/admin/${kind === 'user' ? 'people' : 'groups'}/${encodeURIComponent(subject)}`;
}
