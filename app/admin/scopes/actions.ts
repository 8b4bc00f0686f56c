'use server';

import { scopeActs } from '#lib/management/scope/acts.ts';
import type { ScopeField } from '#lib/management/scope/fields.ts';
import { showScope, versionOfScope } from '#lib/management/scope/scopes.ts';
import { offeredLocales } from '#lib/messages/locales.ts';
import { doneAt, textOf } from '../act.ts';
import { scopePage } from '../addresses.ts';
import { doing } from '../doing.ts';

const nameIn = (form: FormData) => textOf(form, 'scope');

export const addScope = doing(
  scopeActs.create,
  (form) => ({ name: textOf(form, 'name'), ...fieldsIn(form) }),
  ({ name }) => doneAt(scopePage(name), 'scopes.created', { name }),
);

export const saveScope = doing(
  scopeActs.update,
  (form) => ({ name: nameIn(form), ...fieldsIn(form) }),
  ({ name }) => doneAt(scopePage(name), 'scopes.saved'),
  { seenNow: async (form) => versionOfScope(await showScope(nameIn(form))) },
);

export const removeScope = doing(
  scopeActs.delete,
  (form) => ({ name: nameIn(form) }),
  ({ name }) => doneAt('/admin/scopes', 'scopes.removed', { name }),
);

function fieldsIn(form: FormData) {
  return {
    description: textOf(form, 'description'),
    descriptions: Object.fromEntries(
      offeredLocales
        .filter((tag) => form.has(`descriptions.${tag}`))
        .map((tag) => [tag, textOf(form, `descriptions.${tag}`)]),
    ),
    default: form.has('isDefault'),
    sensitive: form.has('sensitive'),
  } satisfies Record<ScopeField, unknown>;
}
