'use server';

import { createScope, deleteScope, showScope, updateScope } from '#lib/management/scopes.ts';
import { scopeWords as words } from '#lib/messages/admin/scopes.ts';
import { offeredLocales } from '#lib/messages/locales.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readSeen, seenOf } from './seen.ts';

export async function addScope(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now, demandFresh }) => {
    const { name } = await createScope(
      { name: textOf(form, 'name'), ...readChange(form) },
      actor,
      now,
      demandFresh,
    );
    return doneAt(pageOf(name), words.created(name));
  });
}

export async function saveScope(_: FormState, form: FormData): Promise<FormState> {
  const name = textOf(form, 'scope');
  const work = async ({ actor, now, demandFresh }: Acting) => {
    const seen = readSeen(textOf(form, 'seen'));
    await updateScope(name, readChange(form), actor, now, seen, demandFresh);
    return doneAt(pageOf(name), words.saved);
  };
  return act('admin', form, work, async () => seenOf(await showScope(name)));
}

export async function removeScope(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const name = textOf(form, 'scope');
    await deleteScope(name, actor, now);
    return doneAt('/admin/scopes', words.removed(name));
  });
}

const pageOf = (name: string) => `/admin/scopes/${encodeURIComponent(name)}`;

function readChange(form: FormData) {
  return {
    description: textOf(form, 'description'),
    translations: Object.fromEntries(
      offeredLocales
        .filter((tag) => form.has(`description.${tag}`))
        .map((tag) => [tag, textOf(form, `description.${tag}`)]),
    ),
    isDefault: form.has('isDefault'),
    sensitive: form.has('sensitive'),
  };
}
