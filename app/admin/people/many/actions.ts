'use server';

import { redirect } from 'next/navigation';
import { batchActs } from '#lib/management/batch/acts.ts';
import { startable } from '#lib/management/batch/operations.ts';
import { showGroup } from '#lib/management/group/groups.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { doneAt, textOf, textOrNull } from '../../act.ts';
import { doing } from '../../doing.ts';
import { endIn } from '../../ui/last-day.ts';
import { chosenInForm } from './chosen.ts';

const runOf = (id: string) => `/admin/people/batches/${encodeURIComponent(id)}`;

/** Starts the confirmed bulk action, and leads to its progress. */
export const startForMany = doing(
  batchActs.start,
  async (form) => ({
    operation:
      startable.find((name) => name === textOf(form, 'operation')) ??
      refuseAdmin(null, sentence('refused.batch.nobody')),
    ...((await chosenInForm(form)) ?? { ids: [] }),
    expect: textOf(form, 'expect'),
    group: form.has('group') ? await groupIn(form) : undefined,
    ends_at: form.has('ends_at') ? endIn(form) : undefined,
    note: textOrNull(form, 'note') ?? undefined,
  }),
  ({ id }) => redirect(runOf(id)),
);

async function groupIn(form: FormData): Promise<string> {
  const key = textOf(form, 'group').trim();
  return key ? (await showGroup(key)).id : refuseAdmin('group', sentence('refused.batch.group'));
}

export const stopForMany = doing(
  batchActs.stop,
  (form) => ({ id: textOf(form, 'id') }),
  ({ id }) => doneAt(runOf(id), 'batches.stoppedDone'),
);

/** Starts undoing a bulk action, and leads to its progress. */
export const undoForMany = doing(
  batchActs.undo,
  (form) => ({ id: textOf(form, 'id') }),
  ({ id }) => redirect(runOf(id)),
);
