import {
  createField,
  deleteField,
  type FieldChange,
  listFields,
  updateField,
} from '../management/field/user-fields.ts';
import type { Run } from './run.ts';

const placeOf = (field: string) => [field].filter((name) => name !== 'name');

export async function applyFields(run: Run): Promise<void> {
  const known = new Set((await listFields()).map(({ name }) => name));
  for (const [name, said] of Object.entries(run.content.fields ?? {})) {
    const path = ['fields', name];
    const { label, scope, type = 'text', editor = 'admin' } = said;
    const change: Required<FieldChange> = { label, scope, type, editor };
    const loosening = run.loosening('field', name);
    await run.attempt(
      path,
      () =>
        known.has(name)
          ? updateField(name, change, { actor: run.actor, now: run.now(), onLoosening: loosening })
          : createField({ name, ...change }, run.actor, run.now(), loosening),
      placeOf,
    );
    await run.keep({ kind: 'field', key: name }, path, name, known.has(name));
  }
}

/** Removes fields that the file kept and no longer names. */
export async function dropFields(run: Run): Promise<void> {
  const known = new Set((await listFields()).map(({ name }) => name));
  const said = run.content.fields ?? {};
  for (const name of run.dropped('field').filter((key) => !Object.hasOwn(said, key))) {
    if (known.has(name))
      await run.attempt(
        ['fields', name],
        () => deleteField(name, run.actor, run.now()),
        () => [],
      );
    await run.letGoOf({ kind: 'field', key: name });
  }
}
