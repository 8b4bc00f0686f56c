import { fieldActs } from '../management/field/acts.ts';
import { listFields } from '../store/user-fields.ts';
import type { Run } from './run.ts';

const usual = { type: 'text', editor: 'admin' };
const placeOf = (field: string) => [field].filter((name) => name !== 'name');

export async function applyFields(run: Run): Promise<void> {
  const known = new Set((await listFields()).map(({ name }) => name));
  for (const [name, said] of Object.entries(run.content.fields ?? {})) {
    const path = ['fields', name];
    const at = { path, placeOf, loosens: run.loosening('field', name) };
    const fields = { name, ...usual, ...said };
    await (known.has(name)
      ? run.perform(fieldActs.update, fields, at)
      : run.perform(fieldActs.create, fields, at));
    await run.keep({ kind: 'field', key: name }, path, name, known.has(name));
  }
}

/** Removes fields that the file kept and no longer names. */
export async function dropFields(run: Run): Promise<void> {
  const known = new Set((await listFields()).map(({ name }) => name));
  const said = run.content.fields ?? {};
  for (const name of run.dropped('field').filter((key) => !Object.hasOwn(said, key))) {
    if (known.has(name))
      await run.perform(fieldActs.delete, { name }, { path: ['fields', name], placeOf: () => [] });
    await run.letGoOf({ kind: 'field', key: name });
  }
}
