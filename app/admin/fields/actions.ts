'use server';

import {
  createField,
  deleteField,
  type FieldChange,
  showField,
  updateField,
} from '#lib/management/user-fields.ts';
import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readSeen, seenOf } from './seen.ts';

export async function addField(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now, demandFresh }) => {
    const input = { name: textOf(form, 'name'), ...readChange(form) };
    const { label } = await createField(input, actor, now, demandFresh);
    return doneAt('/admin/fields', words.created(label));
  });
}

export async function saveField(_: FormState, form: FormData): Promise<FormState> {
  const name = textOf(form, 'field');
  const work = async ({ actor, now, demandFresh }: Acting) => {
    const seen = readSeen(textOf(form, 'seen'));
    await updateField(name, readChange(form), actor, now, seen, demandFresh);
    return doneAt(`/admin/fields/${encodeURIComponent(name)}`, words.saved);
  };
  return act('admin', form, work, async () => seenOf(await showField(name)));
}

export async function removeField(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { name, label } = await showField(textOf(form, 'field'));
    await deleteField(name, actor, now);
    return doneAt('/admin/fields', words.removed(label));
  });
}

/** What the form says; a type that can’t change any more has no control. */
function readChange(form: FormData): FieldChange {
  const names = ['label', 'type', 'editor', 'scope'] as const;
  return Object.fromEntries(
    names.filter((name) => form.has(name)).map((name) => [name, textOf(form, name)]),
  );
}
