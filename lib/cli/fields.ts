import type { Command } from 'commander';
import type { FieldChange, UserField } from '../management/user-fields.ts';
import { fieldEditors, fieldTypes } from '../people/user-field.ts';
import { type Answer, answering, cli } from './answer.ts';
import { facts, table } from './text.ts';

const fields = () => import('../management/user-fields.ts');

/** Commands about fields of one's own that people have. */
export function addFieldCommands(program: Command): void {
  const field = program.command('field').description('what this server keeps of people besides');
  field
    .command('list')
    .description('list fields, in the order they were made')
    .action(
      answering(async () => {
        const rows = await (await fields()).listFields();
        const cells = rows.map((row) => [row.name, row.type, row.editor, row.scope, row.label]);
        const text = table(['field', 'type', 'editor', 'scope', 'label'], cells, 'No fields.');
        return { json: { fields: rows }, text };
      }),
    );
  addChanges(field);
  field
    .command('delete')
    .description("delete a field with everyone's value")
    .argument('<name>', 'its claim')
    .action(
      answering(async (name: string) => {
        const { people } = await (await fields()).deleteField(name, cli, new Date());
        const text = `Deleted ${name}, of which ${people} people had a value.`;
        return { json: { name, deleted: true, people }, text };
      }),
    );
}

function addChanges(field: Command): void {
  const addOptions = (command: Command) =>
    command
      .argument('<name>', 'the claim, such as department')
      .option('--type <type>', `${fieldTypes.join(', ')} (text); stays once someone has a value`)
      .option('--editor <who>', `who changes it besides admins: ${fieldEditors.join(', ')} (admin)`)
      .option('--scope <scope>', 'apps that are allowed it are told the value (profile)');
  addOptions(field.command('create').description('create a field'))
    .requiredOption('--label <text>', 'what people read')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cli -- field create department --label Department --scope profile',
    )
    .action(
      answering(async (name: string, options: FieldChange & { label: string }) =>
        about(
          await (await fields()).createField(
            { ...options, name, scope: options.scope ?? 'profile' },
            cli,
            new Date(),
          ),
        ),
      ),
    );
  addOptions(
    field.command('update').description('change a field; only the options you give change'),
  )
    .option('--label <text>', 'what people read')
    .action(
      answering(async (name: string, options: FieldChange) =>
        about(await (await fields()).updateField(name, options, cli, new Date())),
      ),
    );
}

function about(field: UserField): Answer {
  const { name, label, type, editor, scope } = field;
  const json = { name, label, type, editor, scope };
  return { json, text: facts(Object.entries(json)) };
}
