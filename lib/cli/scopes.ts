import type { Command } from 'commander';
import type { Scope } from '../management/scopes.ts';
import { type Answer, answering, cli } from './answer.ts';
import { readSwitch } from './options.ts';
import { facts, table } from './text.ts';

const scopes = () => import('../management/scopes.ts');

/** Commands about scopes. */
export function addScopeCommands(program: Command): void {
  const scope = program.command('scope').description('what clients can ask for');
  scope
    .command('list')
    .description('list scopes, the built-in ones first')
    .action(
      answering(async () => {
        const rows = await (await scopes()).listScopes();
        const cells = rows.map((row) => [
          row.name,
          row.isDefault,
          row.sensitive,
          row.builtIn,
          row.description,
        ]);
        const text = table(
          ['scope', 'default', 'sensitive', 'built in', 'description'],
          cells,
          'There is no scope.',
        );
        return { json: { scopes: rows.map(toJson) }, text };
      }),
    );
  addChanges(scope);
  scope
    .command('delete')
    .description('remove a scope: clients and approvals lose it, and the tokens that carry it end')
    .argument('<name>', 'its name')
    .action(
      answering(async (name: string) => {
        const { clients, grants } = await (await scopes()).deleteScope(name, cli, new Date());
        const text = `${name} is deleted. It left the lists of ${clients} clients and ${grants} approvals; tokens that carried it have ended.`;
        return { json: { name, deleted: true, clients, grants }, text };
      }),
    );
}

type Options = { description: string; default?: string | true; sensitive?: string | true };

function addChanges(scope: Command): void {
  const addSwitches = (command: Command) =>
    command
      .argument('<name>', 'its name')
      .option('--default [on|off]', 'part of what a client asks for when it names no scope')
      .option('--sensitive [on|off]', 'only for clients that have it in their own list');
  addSwitches(scope.command('create').description('make a scope'))
    .requiredOption(
      '--description <text>',
      'what an app may do with it, in the words people read on the consent page',
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run cli -- scope create photos.read --description "See your photos"',
    )
    .action(
      answering(async (name: string, options: Options) =>
        about(
          await (await scopes()).createScope({ name, ...readOptions(options) }, cli, new Date()),
        ),
      ),
    );
  addSwitches(
    scope.command('update').description('change a scope; what is not named stays as it is'),
  )
    .option(
      '--description <text>',
      'what an app may do with it, in the words people read on the consent page',
    )
    .action(
      answering(async (name: string, options: Options) =>
        about(await (await scopes()).updateScope(name, readOptions(options), cli, new Date())),
      ),
    );
}

function readOptions(options: Options): {
  description: string;
  isDefault?: boolean;
  sensitive?: boolean;
} {
  return {
    description: options.description,
    isDefault: readSwitch('default', options.default),
    sensitive: readSwitch('sensitive', options.sensitive),
  };
}

function about(scope: Scope): Answer {
  return { json: toJson(scope), text: facts(Object.entries(toJson(scope))) };
}

function toJson(scope: Scope) {
  const { name, description, isDefault, sensitive, builtIn } = scope;
  return { name, description, default: isDefault, sensitive, built_in: builtIn };
}
