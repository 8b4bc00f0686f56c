import { Command, type CommanderError, type Option } from 'commander';
import { gatehouseVersion } from '../config.ts';
import { addApiKeyCommands } from './api-keys.ts';
import { addApiCommands } from './apis.ts';
import { addAppPasswordCommands } from './app-passwords.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addBatchCommands } from './batches.ts';
import { addClientCommands } from './clients.ts';
import { addConfigFileCommands } from './config-file.ts';
import { addDeletionCommands } from './deletions.ts';
import { addDirectoryCommands } from './directories.ts';
import { addDoctorCommand } from './doctor.ts';
import { addFieldCommands } from './fields.ts';
import { addGrantCommands } from './grants.ts';
import { addGroupCommands } from './groups.ts';
import { addIdentityCommands } from './identities.ts';
import { addKeyCommands } from './keys.ts';
import { addMoveCommand } from './move.ts';
import { addHostCommands } from './new-apps.ts';
import { addProviderCommands } from './providers.ts';
import { addRecipeCommands } from './recipes.ts';
import { addRegistrationTokenCommands } from './registration-tokens.ts';
import { addReloadCommand } from './reload.ts';
import { addScopeCommands } from './scopes.ts';
import { addSettingCommands } from './settings.ts';
import { addSetUpLinkCommand } from './setup-link.ts';
import { addTermsCommands } from './terms.ts';
import { addTraceCommands } from './traces.ts';
import { addUserCommands } from './users.ts';
import { addWordCommands } from './words.ts';

/** Everything that adds commands, in the order of the help. */
const additions = [
  addUserCommands,
  addClientCommands,
  addRecipeCommands,
  addGroupCommands,
  addProviderCommands,
  addIdentityCommands,
  addAppPasswordCommands,
  addDeletionCommands,
  addDirectoryCommands,
  addBatchCommands,
  addScopeCommands,
  addApiCommands,
  addFieldCommands,
  addSettingCommands,
  addWordCommands,
  addTermsCommands,
  addRegistrationTokenCommands,
  addApiKeyCommands,
  addHostCommands,
  addGrantCommands,
  addKeyCommands,
  addAuditCommands,
  addTraceCommands,
  addMoveCommand,
  addConfigFileCommands,
  addBackupCommands,
  addDoctorCommand,
  addReloadCommand,
  addSetUpLinkCommand,
];

const invocation = 'npm run cli --';

/**
 * Builds all commands with their options and help. Before a command runs, only the version is read.
 */
export function buildProgram(): Command {
  const program = new Command(invocation)
    .description(
      'Manages the users, groups, clients, scopes, APIs and settings of this server, whether or not it is running.',
    )
    .option('--json', 'print one JSON object, for scripts')
    .option('--server <address>', 'run it on another server, by its API')
    .option('--key-file <file>', 'the file with the API key for it')
    .version(gatehouseVersion(), '--version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    // Errors are printed once, in one line, by adviceFor.
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      `
Examples:
  ${invocation} user create --username ada --email ada@example.org --password - --admin
  ${invocation} client create --name "My app" --redirect-uri https://app.example.org/callback
  ${invocation} settings set require_pkce on

For scripts: npm run --silent cli -- user list --json`,
    );
  for (const add of additions) add(program);
  refuseRepeats(program);
  return program;
}

/** Given twice, an option's last value would win, the others be lost without a word. */
function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    // Those that may be repeated collect their values.
    if (!(option.required || option.optional) || option.parseArg) continue;
    const given: (string | null)[] = [];
    command.on(`option:${option.name()}`, (value: string | null) => {
      given.push(value);
      if (given.length > 1) command.error(repeatOf(option, given));
    });
  }
  for (const each of command.commands) refuseRepeats(each);
}

/** No values, which might be secrets, except those that belong into one list. */
function repeatOf({ long, description }: Option, given: readonly (string | null)[]): string {
  const isList = description.includes('separated by spaces');
  const instead = isList ? `Write one list: ${long} "${given.join(' ')}".` : 'Keep one of them.';
  return `${long} takes one value, and is there twice. ${instead}`;
}

/** The mistake in a command line and where to find help, in one line. */
export function adviceFor(program: Command, args: string[], error: CommanderError): string {
  const command = commandIn(program, args);
  const path = pathOf(command);
  // Commander prints the whole help for an incomplete command; here it gets one line, like every
  // failure.
  const incomplete = `Choose a command: ${path} ${command.commands.map((sub) => sub.name()).join(', ')}.`;
  const said =
    error.code === 'commander.help'
      ? incomplete
      : error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)} (see ${path} --help)`;
}

function commandIn(program: Command, args: string[]): Command {
  let command = program;
  for (const arg of args.filter((text) => !text.startsWith('-'))) {
    const next = command.commands.find((sub) => sub.name() === arg || sub.aliases().includes(arg));
    if (!next) break;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
