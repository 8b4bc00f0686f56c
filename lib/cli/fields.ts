import type { Command } from 'commander';
import { fieldActs } from '../management/field/acts.ts';
import { fieldEditors, fieldTypes } from '../people/user-field.ts';
import { addAct } from './act-command.ts';
import { table } from './text.ts';

export function addFieldCommands(program: Command): void {
  const field = program.command('field').description('custom profile fields');
  addAct(field.command('list'), fieldActs.list, {
    text({ fields }) {
      const rows = fields.map((row) => [row.name, row.type, row.editor, row.scope, row.label]);
      return table(['field', 'type', 'editor', 'scope', 'label'], rows, 'No fields.');
    },
  });
  const changing = {
    places: { name: ['<name>', 'the claim, such as department'] as const },
    flags,
  };
  addAct(field.command('create'), fieldActs.create, changing).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- field create department --label Department --scope profile',
  );
  addAct(field.command('update'), fieldActs.update, changing);
  addAct(field.command('delete'), fieldActs.delete, {
    places: { name: ['<name>', 'its claim'] },
    text: ({ name, people }) => `Deleted ${name}, of which ${people} people had a value.`,
  });
}

const flags = {
  type: {
    flag: '--type <type>',
    says: `${fieldTypes.join(', ')} (text); cannot change once someone has a value`,
  },
  editor: {
    flag: '--editor <who>',
    says: `who can change it besides admins: ${fieldEditors.join(', ')} (admin)`,
  },
  scope: { flag: '--scope <scope>' },
};
