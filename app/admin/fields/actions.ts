'use server';

import { fieldActs } from '#lib/management/field/acts.ts';
import { fieldFields } from '#lib/management/field/fields.ts';
import { showField, versionOfField } from '#lib/management/field/user-fields.ts';
import { doneAt, textOf } from '../act.ts';
import { fieldPage } from '../addresses.ts';
import { doing, textsIn } from '../doing.ts';

const nameIn = (form: FormData) => textOf(form, 'field');

export const addField = doing(
  fieldActs.create,
  (form) => ({ ...textsIn(form, fieldFields), name: textOf(form, 'name') }),
  ({ label }) => doneAt('/admin/fields', 'fields.created', { label }),
);

/** A type that can no longer be changed has no control in the form. */
export const saveField = doing(
  fieldActs.update,
  (form) => {
    const { type, ...said } = textsIn(form, fieldFields);
    return { ...said, ...(form.has('type') && { type }), name: nameIn(form) };
  },
  ({ name }) => doneAt(fieldPage(name), 'fields.saved'),
  { seenNow: async (form) => versionOfField(await showField(nameIn(form))) },
);

export const removeField = doing(
  fieldActs.delete,
  (form) => ({ name: nameIn(form) }),
  ({ label }) => doneAt('/admin/fields', 'fields.removed', { label }),
);
