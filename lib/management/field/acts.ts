import { z } from 'zod';
import { fieldEditors, fieldTypes } from '../../people/user-field.ts';
import { act } from '../act.ts';
import { text } from '../values.ts';
import { versionOf } from '../version.ts';
import { fieldFields } from './fields.ts';

// Imported late: a command line that only prints its help opens no store.
const fields = () => import('./user-fields.ts');

const name = text.meta({ description: 'the claim, such as department' });

const field = z
  .object({
    name: text,
    label: text,
    type: z.enum(fieldTypes),
    editor: z.enum(fieldEditors),
    scope: text,
  })
  .meta({ id: 'Field' });

export const fieldActs = {
  list: act({
    may: 'see-everything',
    says: 'list fields, in the order they were made',
    takes: z.strictObject({}),
    tells: z.object({ fields: z.array(field) }),
    run: async () => ({ fields: await (await fields()).listFields() }),
  }),

  show: act({
    may: 'see-everything',
    says: 'show a field',
    takes: z.strictObject({ name }),
    tells: field,
    run: async (said) => (await fields()).showField(said.name),
    version,
  }),

  create: act({
    may: 'admin',
    says: 'create a field',
    example: { name: 'department', label: 'Department' },
    takes: z.strictObject({ name, ...fieldFields }),
    tells: field,
    async run({ scope = 'profile', ...said }, { actor, now, demandFresh }) {
      return (await fields()).createField({ ...said, scope }, actor, now, demandFresh);
    },
    version,
  }),

  update: act({
    may: 'admin',
    says: 'change a field; only the options you give change',
    example: { label: 'Division' },
    takes: z.strictObject({ name, ...z.object(fieldFields).partial().shape }),
    tells: field,
    async run({ name, ...said }, { actor, now, seen, demandFresh }) {
      return (await fields()).updateField(name, said, {
        actor,
        now,
        seen,
        onLoosening: demandFresh,
      });
    },
    version,
  }),

  delete: act({
    may: 'fresh-admin',
    says: "delete a field with everyone's value",
    takes: z.strictObject({ name }),
    tells: z.object({ name: text, label: text, deleted: z.literal(true), people: z.int() }),
    async run(said, { actor, now, seen }) {
      const gone = await (await fields()).deleteField(said.name, actor, now, seen);
      return { ...gone, deleted: true as const };
    },
  }),
};

function version({ name, label, type, editor, scope }: z.output<typeof field>): string {
  return versionOf(name, label, type, editor, scope);
}
