import { listFields } from '#lib/management/field/user-fields.ts';
import { controlOf } from '#lib/management/user/field-values.ts';
import { listOf, textOf } from '../act.ts';

/** Reads those custom fields that have a control in this form. */
export async function readOwnFields(form: FormData): Promise<Record<string, string[]>> {
  const there = (await listFields()).filter(({ name }) => form.has(controlOf(name)));
  return Object.fromEntries(
    there.map(({ name, type }) => {
      const control = controlOf(name);
      return [name, type === 'list' ? listOf(form, control) : [textOf(form, control)]];
    }),
  );
}
