import type { Command } from 'commander';
import { refuseAdmin } from '../management/refusal.ts';
import type { Scope } from '../management/scopes.ts';
import { type Answer, answering, cli } from './answer.ts';
import { collect, readSwitch } from './options.ts';
import { facts, table } from './text.ts';

const scopes = () => import('../management/scopes.ts');

/** Commands about scopes. */
export function addScopeCommands(program: Command): void {
  const scope = program.command('scope').description('what clients can request');
  scope
    .command('list')
    .description('list scopes, built-in ones first')
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
          'No scopes.',
        );
        return { json: { scopes: rows.map(toJson) }, text };
      }),
    );
  addChanges(scope);
  scope
    .command('delete')
    .description('delete a scope from clients and approvals, and revoke the tokens that carry it')
    .argument('<name>', 'its name')
    .action(
      answering(async (name: string) => {
        const { clients, grants } = await (await scopes()).deleteScope(name, cli, new Date());
        const text = `Deleted ${name} from ${clients} clients and ${grants} approvals, and revoked the tokens that carried it.`;
        return { json: { name, deleted: true, clients, grants }, text };
      }),
    );
}

type Options = {
  description: string;
  descriptionIn?: string[];
  default?: string | true;
  sensitive?: string | true;
};

function addChanges(scope: Command): void {
  const addSwitches = (command: Command) =>
    command
      .argument('<name>', 'its name')
      .option(
        '--description-in <language=text>',
        'the description for people who read this language, such as de="Ihre Fotos sehen"; may be repeated, and an empty text removes it',
        collect,
      )
      .option('--default [on|off]', 'requested by clients that name no scope')
      .option('--sensitive [on|off]', 'only for clients that list it');
  addSwitches(scope.command('create').description('create a scope'))
    .requiredOption(
      '--description <text>',
      'what an app can do with it, as people read it on the consent page',
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
    scope.command('update').description('change a scope; only the options you give change'),
  )
    .option(
      '--description <text>',
      'what an app can do with it, as people read it on the consent page',
    )
    .action(
      answering(async (name: string, options: Options) =>
        about(await (await scopes()).updateScope(name, readOptions(options), cli, new Date())),
      ),
    );
}

function readOptions(options: Options): {
  description: string;
  translations?: Record<string, string>;
  isDefault?: boolean;
  sensitive?: boolean;
} {
  return {
    description: options.description,
    translations: options.descriptionIn && readTexts(options.descriptionIn),
    isDefault: readSwitch('default', options.default),
    sensitive: readSwitch('sensitive', options.sensitive),
  };
}

/** `de=Ihre Fotos sehen`, repeated. @throws AdminRefusal */
function readTexts(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=');
      if (at < 1)
        refuseAdmin(
          'translations',
          `--description-in takes a language and a text, such as de="Ihre Fotos sehen", not "${each}".`,
        );
      return [each.slice(0, at).trim(), each.slice(at + 1)];
    }),
  );
}

function about(scope: Scope): Answer {
  const { descriptions, ...rest } = toJson(scope);
  const texts = Object.entries(descriptions).map(([tag, text]) => [`description (${tag})`, text]);
  return {
    json: toJson(scope),
    text: facts([...Object.entries(rest), ...(texts as [string, string][])]),
  };
}

function toJson(scope: Scope) {
  const { name, description, translations, isDefault, sensitive, builtIn } = scope;
  const descriptions = translations;
  return { name, description, descriptions, default: isDefault, sensitive, built_in: builtIn };
}
